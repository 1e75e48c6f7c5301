import { Bytes } from '@firn/codec'
import type { ContractFacts, Log, ProxyFacts } from '@firn/evm'
import { expect, test } from 'vitest'
import { EvmWriter } from '../EvmWriter.ts'
import { openEvm, TEST_CHAIN } from '../testing/evm.ts'
import { evmAddress, evmBlock, evmHash, evmTransaction, evmTransfer } from '../testing/evmBlocks.ts'
import * as Proxies from './Proxies.ts'
import * as TransactionLogs from './TransactionLogs.ts'

const PROXY = evmAddress(9)
const BEACON = evmAddress(8)
const UPGRADED = Buffer.from('bc7cd75a20ee27fd9adebab32041f755214dbc6bffa90cc0225b39da2e5c2d3b', 'hex')
const [first, second, third] = [evmAddress(21), evmAddress(22), evmAddress(23)]
const word = (address: Uint8Array) => Bytes.concat(new Uint8Array(12), address)
const upgraded = (index: bigint, to: Uint8Array, address = PROXY): Log => ({
  ...{ index, address },
  topics: [UPGRADED, word(to)],
  data: new Uint8Array(),
})
const facts = (proxy: ProxyFacts): ContractFacts => ({
  ...{ address: PROXY, kind: 'ERC-20', name: undefined, symbol: undefined, decimals: 6 },
  proxy,
})
const stored = (implementation: Uint8Array): ProxyFacts => ({
  ...{ kind: 'EIP-1967', implementation, beacon: undefined },
})

/** Opens a chain that starts with a transfer of the proxy. */
async function open(proxy: ProxyFacts) {
  const store = await openEvm()
  const writer = await EvmWriter.open(store, TEST_CHAIN)
  const commit = (
    height: bigint,
    logs: readonly (readonly Log[])[] = [],
    contracts: readonly ContractFacts[] = [],
  ) =>
    writer.commit([
      {
        block: evmBlock(height, {
          transactions: logs.map((own, index) =>
            evmTransaction({ index, logs: own, hash: evmHash(height * 100n + BigInt(index)) }),
          ),
        }),
        contracts,
      },
    ])
  const at = (height: bigint) => ({
    height,
    hash: evmHash(height),
    time: evmBlock(height).timestamp,
    settledHeight: null,
  })
  await commit(0n, [[evmTransfer(0n, PROXY, evmAddress(1), evmAddress(2), { amount: 1n })]], [facts(proxy)])
  const target = async (height: bigint, transactionIndex = 0, logIndex?: bigint) => {
    const [history] = await Proxies.histories(store, await store.snapshot(), [PROXY, evmAddress(50)], 99n)
    const place = { height, transactionIndex, ...(logIndex === undefined ? {} : { logIndex }) }
    const found = history && Proxies.targetAt(history, place)
    return found && [found.implementation.at(-1), found.basis, found.height]
  }
  return {
    store,
    writer,
    commit,
    target,
    read: (height: bigint, of: ProxyFacts) => writer.storeContracts(at(height), [facts(of)]),
  }
}
const tail = (address: Uint8Array) => address.at(-1)

test('finds the implementation in force by events, also between the logs of a transaction', async () => {
  const { commit, target, read } = await open(stored(first))
  await commit(1n, [[], [upgraded(0n, second), upgraded(1n, second, BEACON)], []])
  await commit(2n, [[upgraded(0n, third)]])
  await read(2n, stored(third))
  // Another contract's event has no effect.
  await commit(3n, [[upgraded(0n, first, BEACON)]])
  expect(await target(0n)).toEqual([tail(first), 'reading', undefined])
  expect(await target(1n, 0)).toEqual([tail(first), 'reading', undefined])
  expect(await target(1n, 1)).toEqual([tail(first), 'reading', undefined])
  expect(await target(1n, 1, 0n)).toEqual([tail(first), 'reading', undefined])
  expect(await target(1n, 1, 1n)).toEqual([tail(second), 'event', 1n])
  expect(await target(1n, 2)).toEqual([tail(second), 'event', 1n])
  expect(await target(2n, 0)).toEqual([tail(second), 'event', 1n])
  expect(await target(3n, 0)).toEqual([tail(third), 'event', 2n])
})

test('finds the implementation by readings if the proxy emits no events', async () => {
  const { commit, target, read } = await open(stored(first))
  for (const height of [1n, 2n, 3n]) await commit(height)
  await read(1n, stored(second))
  await read(3n, stored(third))
  expect(await target(1n)).toEqual([tail(first), 'reading', undefined])
  expect(await target(2n)).toEqual([tail(second), 'reading', 1n])
  expect(await target(3n)).toEqual([tail(second), 'reading', 1n])
  expect(await target(4n)).toEqual([tail(third), 'reading', 3n])
})

test('prefers a reading to an earlier event', async () => {
  const { commit, target, read } = await open(stored(first))
  await commit(1n, [[upgraded(0n, second)]])
  await commit(2n)
  await read(2n, stored(third))
  expect(await target(2n)).toEqual([tail(second), 'event', 1n])
  expect(await target(3n)).toEqual([tail(third), 'reading', 2n])
})

test('finds the implementation of a beacon by its events', async () => {
  const { commit, target } = await open({ kind: 'EIP-1967-BEACON', implementation: second, beacon: BEACON })
  await commit(1n, [[upgraded(0n, second, BEACON), upgraded(1n, third)]])
  expect(await target(2n)).toEqual([tail(second), 'event', 1n])
})

test('knows the implementation of a clone at every height', async () => {
  const { commit, target } = await open({ kind: 'EIP-1167', implementation: first, beacon: undefined })
  await commit(1n, [[upgraded(0n, second)]])
  expect(await target(9n)).toEqual([tail(first), 'code', undefined])
})

test('returns the first logs of a transaction', async () => {
  const { store, commit } = await open(stored(first))
  const big = { ...upgraded(2n, third), data: new Uint8Array(5 << 20) }
  await commit(1n, [[upgraded(0n, first)], [upgraded(1n, second), big, upgraded(3n, first)]])
  const indexes = async (index: number, limit: number, height = 1n) => {
    const found = await TransactionLogs.first(store, { height, index }, limit)
    return found && [found.logs.map(({ logIndex }) => logIndex), found.hasMore]
  }
  expect(await indexes(0, 1)).toEqual([[0n], false])
  expect(await indexes(1, 1)).toEqual([[1n], true])
  // The third log would follow five megabytes.
  expect(await indexes(1, 5)).toEqual([[1n, 2n], true])
  expect(await indexes(2, 5)).toEqual([[], false])
})
