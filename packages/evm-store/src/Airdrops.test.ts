import { expect, test } from 'vitest'
import { EvmWriter } from './EvmWriter.ts'
import { ofContracts } from './queries/Airdrops.ts'
import { eachDatabase } from './testing/databases.ts'
import { TEST_CHAIN } from './testing/evm.ts'
import { evmAddress, evmBlock, evmTransaction, evmTransfer } from './testing/evmBlocks.ts'

const [NOBODY, SENDER, COIN, ART] = [0, 1, 2, 3].map(evmAddress) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
]

/** Returns transfers of a contract to the given recipients. */
const sent = (contract: Uint8Array, recipients: readonly Uint8Array[], first = 0n) =>
  recipients.map((recipient, i) =>
    evmTransfer(first + BigInt(i), contract, NOBODY, recipient, { amount: 5n }),
  )
const accounts = (count: number) => Array.from({ length: count }, (_, i) => evmAddress(100 + i))

eachDatabase(({ openEvm }) => {
  test('counts transfers to many recipients that did not send the transaction, and takes them back', async () => {
    const store = await openEvm()
    const writer = await EvmWriter.open(store, TEST_CHAIN)
    const counts = async () =>
      (await ofContracts(store, [COIN, ART])).map(({ contract, airdropped, others }) => [
        contract[0],
        airdropped,
        others,
      ])
    const commit = (height: bigint, ...transactions: readonly ReturnType<typeof sent>[]) =>
      writer.commit([
        {
          block: evmBlock(height, {
            transactions: transactions.map((logs, index) => evmTransaction({ index, from: SENDER, logs })),
          }),
          contracts: [],
        },
      ])
    await commit(0n, sent(COIN, [...accounts(9), SENDER, NOBODY]), sent(COIN, accounts(9), 20n))
    expect(await counts()).toEqual([[COIN[0], 0n, 20n]])
    await commit(1n, [...sent(COIN, [...accounts(12), SENDER]), ...sent(ART, accounts(3), 13n)])
    const after = [
      [COIN[0], 12n, 21n],
      [ART[0], 0n, 3n],
    ]
    expect(await counts()).toEqual(after)
    await commit(2n, sent(ART, accounts(10)))
    expect(await counts()).toEqual([after[0], [ART[0], 10n, 3n]])
    await writer.undo(1n)
    expect(await counts()).toEqual(after)
    await writer.undo(0n)
    expect(await counts()).toEqual([[COIN[0], 0n, 20n]])
    await writer.undo(-1n)
    expect(await counts()).toEqual([])
  })
})
