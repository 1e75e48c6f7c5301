import { Hex } from '@firn/codec'
import { expect, test } from 'vitest'
import { busyChain } from '../../testing/busyChain.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { TEST_CHAIN } from '../../testing/evm.ts'
import { evmAddress } from '../../testing/evmBlocks.ts'
import { EvmWriter } from '../EvmWriter.ts'
import * as TokenBalances from './TokenBalances.ts'

const ADDRESS = new Uint8Array(20).fill(1)
const BUSY = { blocks: 20, transactions: 10, transfers: 100, accounts: 50, contracts: 20, isVaried: true }

const tokenOf = (held: TokenBalances.Held | undefined) =>
  held && { contract: held.contract, tokenId: held.tokenId }

eachDatabase(({ openEvm }) => {
  test('pages through balances in the given contracts in order, whatever the order in which these are given', async () => {
    const store = await openEvm()
    const blocks = [...busyChain({ ...BUSY, regulars: [{ address: ADDRESS, every: 3 }] })]
    await (await EvmWriter.open(store, TEST_CHAIN)).commit(blocks.map((block) => ({ block, contracts: [] })))
    const { height } = await store.snapshot()
    const query = { address: ADDRESS, height, contracts: undefined, after: undefined, limit: 1_000 }
    const { elements: all, stoppedAt } = await TokenBalances.ofAddress(store, 1155, query)
    expect(stoppedAt).toBeUndefined()
    expect(all.length).toBeGreaterThan(5)
    const texts = [...new Set(all.map(({ contract }) => Hex.encode(contract)))]
    const some = texts.filter((_, index) => index % 2 === 0)
    const contracts = [...some.toReversed(), Hex.encode(evmAddress(255)), ...some.slice(0, 1)].map(Hex.decode)
    const found: TokenBalances.Held[] = []
    for (;;) {
      const page = await TokenBalances.ofAddress(store, 1155, {
        ...query,
        contracts,
        after: found.at(-1),
        limit: 2,
      })
      found.push(...page.elements)
      if (page.elements.length < 2) break
    }
    expect(found).toEqual(all.filter(({ contract }) => some.includes(Hex.encode(contract))))
    // Without any balance above 0, a page ends at the last token that was examined.
    const none = await TokenBalances.ofAddress(store, 1155, { ...query, height: 0n, most: 3 })
    expect(none).toEqual({ elements: [], stoppedAt: tokenOf(all[2]) })
    const walked: TokenBalances.Held[] = []
    let after: TokenBalances.HeldPage['stoppedAt']
    do {
      const page = await TokenBalances.ofAddress(store, 1155, { ...query, after, most: 3 })
      expect(page.elements.length).toBeLessThanOrEqual(3)
      walked.push(...page.elements)
      after = page.stoppedAt
    } while (after !== undefined)
    expect(walked).toEqual(all)
  })
})
