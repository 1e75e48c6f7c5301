import { Hex } from '@firn/codec'
import { BlockReader } from '@firn/evm'
import { recordedChain } from '@firn/evm/testing'
import { type EvmChain, EvmWriter, type IndexedBlock } from '@firn/evm-store'
import { openEvm } from '@firn/evm-store/testing'
import { database } from '@firn/sql/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { getCompleteness } from '../changes/getCompleteness.ts'
import { createEvm, evmContextOf } from '../testing/serveEvm.ts'
import { evmEndpoints } from './Endpoints.ts'

const CHAIN: EvmChain = {
  chainId: 43_112n,
  name: 'C-Chain',
  network: 'local',
  token: { name: 'Avalanche', symbol: 'AVAX', decimals: 18 },
  firstHeight: 0n,
  hasTraces: true,
}
const BLOCKS = recordedChain('c').map((parts): IndexedBlock => {
  return { block: BlockReader.read(parts), contracts: [] }
})

/** Serves the recorded chain, of which the blocks at the given heights lack their traces. */
const open = async (gaps: readonly bigint[]) => {
  const store = await openEvm({ chainId: CHAIN.chainId })
  const writer = await EvmWriter.open(store, CHAIN)
  await writer.commit(
    BLOCKS.map((one) =>
      gaps.includes(one.block.height)
        ? { ...one, block: { ...one.block, traces: undefined }, tracesDue: 0n }
        : one,
    ),
  )
  const context = await evmContextOf([store])
  const server = await createEvm([...evmEndpoints(context), getCompleteness(context)])
  const ask = async (path: string) => (await server.inject(`/v1/${path}`)).json()
  const close = async () => {
    await server.close()
    await store.close()
  }
  return { store, writer, ask, close }
}

let honest: Awaited<ReturnType<typeof open>>
/** The first block with internal calls, one of them, and the hash of its transaction. */
let first: { height: bigint; sender: string; hash: string }
beforeAll(async () => {
  honest = await open([])
  const call = await database(honest.store)
    .selectFrom('internal_call')
    .innerJoin('transaction', (join) =>
      join
        .onRef('transaction.height', '=', 'internal_call.height')
        .onRef('transaction.transaction_index', '=', 'internal_call.transaction_index'),
    )
    .select(['internal_call.height', 'internal_call.sender', 'transaction.hash'])
    .orderBy('internal_call.height')
    .executeTakeFirstOrThrow()
  first = { height: call.height, sender: Hex.encode(call.sender), hash: Hex.encode(call.hash) }
})
afterAll(() => honest.close())

it('says up to which block internal calls are complete, and answers as without a gap once they are added', async () => {
  const { height, sender, hash } = first
  const { writer, ask, close } = await open([height])
  const paths = {
    calls: `chains/43112/addresses/${sender}/transactions:listInternals?pageSize=100`,
    all: `chains/43112/addresses/${sender}/transactions?pageSize=100`,
    deployments: `chains/43112/contracts/${sender}/deployments`,
    transaction: `chains/43112/transactions/${hash}`,
    completeness: 'completeness/43112',
  }
  const answers = async (from: (path: string) => Promise<Record<string, unknown>>) => {
    const entries = Object.entries(paths).map(async ([name, path]) => [name, await from(path)] as const)
    return Object.fromEntries(await Promise.all(entries))
  }
  const expected = await answers(honest.ask)
  expect(expected['transaction']?.['internalTransactions']).not.toEqual([])
  const before = await answers(ask)
  const complete = String(height - 1n)
  expect(before['calls']?.['completeToBlock']).toBe(complete)
  expect(before['deployments']?.['completeToBlock']).toBe(complete)
  expect(before['all']?.['tracesToBlock']).toBe(complete)
  expect(before['completeness']).toMatchObject({ hasTraces: true, tracesToBlock: complete })
  const { internalTransactions: _, ...rest } = expected['transaction'] ?? {}
  expect(before['transaction']).toEqual(rest)
  const block = BLOCKS.find((one) => one.block.height === height) as IndexedBlock
  expect(await writer.fillTraces(block)).toBe(true)
  const { completeness: pending, ...filled } = await answers(ask)
  const { ranges, ...others } = expected['completeness'] ?? {}
  expect(pending).toMatchObject({ ...others, ranges: [{ isDigestPending: true }] })
  // No block has arrived since the answers before.
  expect({ ...filled, completeness: expected['completeness'] }).toEqual(expected)
  expect(ranges).not.toMatchObject([{ isDigestPending: true }])
  while (await writer.refreshDigests());
  expect(await answers(ask)).toEqual(expected)
  await close()
})
