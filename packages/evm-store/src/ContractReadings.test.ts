import { Hex } from '@firn/codec'
import type { ContractFacts, Log } from '@firn/evm'
import { expect, it } from 'vitest'
import * as EvmDoctor from './EvmDoctor.ts'
import { EvmWriter } from './EvmWriter.ts'
import * as Contracts from './queries/Contracts.ts'
import { openEvm, TEST_CHAIN } from './testing/evm.ts'
import { evmAddress, evmBlock, evmHash, evmTransaction, evmTransfer } from './testing/evmBlocks.ts'

const TOKEN = evmAddress(9)
const UPGRADED = Hex.decode('0xbc7cd75a20ee27fd9adebab32041f755214dbc6bffa90cc0225b39da2e5c2d3b')
const utf8 = new TextEncoder()
const upgraded: Log = {
  index: 0n,
  address: TOKEN,
  topics: [UPGRADED, new Uint8Array(32)],
  data: new Uint8Array(),
}
const transfer = evmTransfer(0n, TOKEN, evmAddress(1), evmAddress(2), { amount: 1n })
const token = (given: Partial<ContractFacts>): ContractFacts => ({
  address: TOKEN,
  kind: 'ERC-20',
  name: undefined,
  symbol: undefined,
  decimals: undefined,
  ...given,
})
const named = (name: string) => token({ name: utf8.encode(name), symbol: utf8.encode('T'), decimals: 6 })

/** Opens a chain whose blocks are an hour apart. */
async function open() {
  const store = await openEvm()
  const writer = await EvmWriter.open(store, TEST_CHAIN)
  const time = (height: bigint) => 1_700_000_000n + 3_600n * height
  const at = (height: bigint) => ({ height, hash: evmHash(height), time: time(height), settledHeight: null })
  return {
    store,
    writer,
    at,
    commit: (height: bigint, logs: readonly Log[] = [], contracts: readonly ContractFacts[] = []) =>
      writer.commit([
        {
          block: evmBlock(height, {
            timestamp: time(height),
            transactions: logs.length === 0 ? [] : [evmTransaction({ logs })],
          }),
          contracts,
        },
      ]),
    due: async (height: bigint) => (await Contracts.due(store, time(height), 9)).length,
    target: async (address: Uint8Array) => {
      const [one] = await Contracts.byAddresses(store, await store.snapshot(), [address])
      return [one?.proxy, one?.implementation, one?.beacon]
    },
    known: async () => {
      const [one] = await Contracts.byAddresses(store, await store.snapshot(), [TOKEN])
      return one && [one.standard, one.name && Buffer.from(one.name).toString(), one.decimals]
    },
  }
}

it('reads a contract without a name again, and returns to what was known in an undo', async () => {
  const { store, writer, at, commit, due, known } = await open()
  await commit(0n, [transfer], [token({ kind: 'UNKNOWN' })])
  expect([await due(0n), await due(1n)]).toEqual([0, 1])
  expect(await Contracts.due(store, at(1n).time, 9)).toEqual([
    { address: TOKEN, tellsErc20: true, value: 1n },
  ])
  await commit(1n)
  expect(await writer.storeContracts(at(1n), [named('Late')])).toBe(true)
  expect([await known(), await due(99n)]).toEqual([[20, 'Late', 6], 0])
  expect((await EvmDoctor.check(store)).faults).toEqual([])
  await writer.undo(0n)
  expect([await known(), await due(0n)]).toEqual([[0, null, null], 1])
  expect(await writer.storeContracts(at(1n), [named('Gone')])).toBe(false)
  expect(await known()).toEqual([0, null, null])
})

it('gives up after three readings, until an event announces a change', async () => {
  const { writer, at, commit, due, known } = await open()
  await commit(0n, [transfer])
  for (const [height, next] of [
    [1n, 2n],
    [2n, 62n],
  ] as const) {
    while ((writer.cursor?.height ?? 0n) < height) await commit((writer.cursor?.height ?? 0n) + 1n)
    expect(await due(height)).toBe(1)
    await writer.storeContracts(at(height), [token({})])
    expect([await due(next - 1n), await due(next)]).toEqual([0, 1])
  }
  await commit(3n)
  await writer.storeContracts({ ...at(3n), time: at(62n).time }, [token({})])
  expect(await due(9_999n)).toBe(0)
  await commit(4n, [upgraded])
  // A reading at the block before does not know of the event.
  await writer.storeContracts(at(3n), [named('Old')])
  expect(await due(5n)).toBe(1)
  await commit(5n)
  await writer.storeContracts(at(5n), [named('New')])
  expect([await known(), await due(9_999n)]).toEqual([[20, 'New', 6], 0])
  // Empty answers do not replace earlier ones.
  await writer.storeContracts(at(5n), [token({ kind: 'UNKNOWN' })])
  expect(await known()).toEqual([20, 'New', 6])
  await writer.undo(4n)
  expect(await known()).toEqual([20, 'Old', 6])
  await writer.undo(2n)
  expect(await known()).toEqual([20, null, null])
})

it('does not count a reading at an earlier block of the same second as an event', async () => {
  const { store, writer, at, commit } = await open()
  await commit(0n, [transfer], [named('Old')])
  const timestamp = at(0n).time
  const block = evmBlock(1n, { timestamp, transactions: [evmTransaction({ logs: [upgraded] })] })
  await writer.commit([{ block, contracts: [] }])
  await writer.storeContracts(at(0n), [named('Old')])
  expect(await Contracts.due(store, timestamp + 1n, 9)).toHaveLength(1)
})

it('reads a contract again at the last block of a batch in which it changed earlier', async () => {
  const { store, writer, at, commit } = await open()
  await commit(0n, [transfer], [named('Old')])
  const event = evmBlock(1n, { timestamp: at(1n).time, transactions: [evmTransaction({ logs: [upgraded] })] })
  const next = evmBlock(2n, { timestamp: at(2n).time })
  await writer.commit([
    { block: event, contracts: [] },
    { block: next, contracts: [] },
  ])
  expect(await Contracts.due(store, at(2n).time, 9)).toHaveLength(1)
})

it('reads all proxies of a beacon again after its event, and returns to their implementation in an undo', async () => {
  const { store, writer, at, commit, target } = await open()
  const [first, second] = [evmAddress(21), evmAddress(22)]
  const beacon = evmAddress(20)
  const proxies = [evmAddress(10), evmAddress(11)]
  const factsOf = (implementation: Uint8Array | undefined) =>
    proxies.map((address) => ({
      ...named('Behind'),
      address,
      proxy: { kind: 'EIP-1967-BEACON', implementation, beacon } as const,
    }))
  const transfers = proxies.map((address, i) => ({ ...transfer, index: BigInt(i), address }))
  await commit(
    0n,
    [transfer, ...transfers.map((one) => ({ ...one, index: one.index + 1n }))],
    [named('Other'), ...factsOf(first)],
  )
  const due = async (height: bigint) =>
    (await Contracts.due(store, at(height).time, 9)).map(({ address }) => address)
  expect(await due(99n)).toEqual([])
  await commit(1n, [{ ...upgraded, address: beacon }])
  await commit(2n)
  expect(await due(2n)).toEqual(expect.arrayContaining(proxies))
  await writer.storeContracts(at(2n), factsOf(second))
  expect([await due(2n), ...(await Promise.all(proxies.map(target)))]).toEqual([
    [],
    ...proxies.map(() => ['EIP-1967-BEACON', second, beacon]),
  ])
  // Without an answer of the beacon or of the node, a proxy remains what it was.
  await writer.storeContracts(at(2n), factsOf(undefined))
  await writer.storeContracts(
    at(2n),
    proxies.map((address) => ({ ...named('Behind'), address })),
  )
  expect(await target(proxies[0] as Uint8Array)).toEqual(['EIP-1967-BEACON', second, beacon])
  await writer.undo(1n)
  expect(await target(proxies[0] as Uint8Array)).toEqual(['EIP-1967-BEACON', first, beacon])
  expect(await due(1n)).toEqual(expect.arrayContaining(proxies))
  // A contract that is created again may be another one.
  const none = { kind: 'NONE', implementation: undefined, beacon: undefined } as const
  await writer.storeContracts(at(1n), [
    { ...named('Behind'), address: proxies[0] as Uint8Array, proxy: none },
  ])
  expect(await target(proxies[0] as Uint8Array)).toEqual(['NONE', null, null])
})
