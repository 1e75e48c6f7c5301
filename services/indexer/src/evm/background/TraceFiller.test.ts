import { BlockReader } from '@firn/evm'
import { inventedChain, inventedFacts } from '@firn/evm/testing'
import { EvmTraceGaps, EvmWriter } from '@firn/evm-store'
import { openEvm } from '@firn/evm-store/testing'
import { silentLogger } from '@firn/runtime'
import { afterEach, expect, it } from 'vitest'
import { IndexerError } from '../../common/IndexerError.ts'
import { CHAIN } from '../../testing/evmStores.ts'
import { type FillerOptions, fillDue } from './TraceFiller.ts'

const chainId = 4_242n
const chain = inventedChain({ seed: 3, transactions: [1, 4] })
const blocks = chain.grow(6).map((parts) => BlockReader.read(parts))
const slow = blocks[3] as (typeof blocks)[number]
const signal = new AbortController().signal
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Stores blocks of which one lacks its traces, to be requested at the second 1,000. */
const setUp = async (answer: () => Promise<typeof slow>) => {
  const store = await openEvm({ chainId })
  ends.push(() => store.close())
  const writer = await EvmWriter.open(store, { ...CHAIN, chainId, firstHeight: 0n, hasTraces: true })
  await writer.commit(
    blocks.map((block) =>
      block === slow
        ? { block: { ...block, traces: undefined }, contracts: [], tracesDue: 1_000n }
        : { block, contracts: [] },
    ),
  )
  const clock = { seconds: 0, now: () => clock.seconds * 1_000 + 0.5, sleep: async () => undefined }
  const asked: number[] = []
  const blamed: string[] = []
  const options: FillerOptions = {
    store,
    writer,
    upstreams: {
      async tracedBlock() {
        asked.push(clock.seconds)
        return answer()
      },
      blame: (_block, { code }) => void blamed.push(code),
    },
    contracts: { facts: async (seen) => seen.map(({ address }) => inventedFacts(address)) },
    traceTimeoutMs: 240_000,
    clock,
    log: silentLogger,
  }
  return { store, writer, options, clock, asked, blamed }
}

it('requests missing traces again when they are due, each time after twice the time, at most an hour', async () => {
  const refused = () => Promise.reject(new IndexerError('INDEXER_UNTRACED', 'too slow'))
  const { options, clock, asked, store } = await setUp(refused)
  for (clock.seconds = 0; clock.seconds < 15_000; clock.seconds += 60) await fillDue(options, signal)
  const pauses = asked.slice(1).map((at, i) => at - (asked[i] ?? 0))
  expect(asked[0]).toBe(1_020)
  expect(pauses).toEqual([540, 1_020, 1_980, 3_660, 3_660])
  expect(await EvmTraceGaps.summary(store)).toEqual({ blocks: 1, first: 3n })
})

it('adds the traces that a node returns, with the contracts that the block created', async () => {
  const { options, clock, store, asked } = await setUp(async () => slow)
  clock.seconds = 1_001
  expect(await fillDue(options, signal)).toBe(true)
  expect(await EvmTraceGaps.summary(store)).toBeUndefined()
  expect(await fillDue(options, signal)).toBe(false)
  expect(asked).toEqual([1_001])
})

it('blames the node of a block with other receipts than the stored ones, and requests the traces again later', async () => {
  const { options, clock, store, blamed } = await setUp(async () => ({
    ...slow,
    gasLimit: slow.gasLimit + 1n,
  }))
  clock.seconds = 1_001
  expect(await fillDue(options, signal)).toBe(true)
  expect(blamed).toEqual(['INDEXER_BLOCK'])
  expect(await EvmTraceGaps.next(store)).toMatchObject({ height: 3n, attempts: 1, due: 1_482n })
})

it('requests nothing for a block that a reorg removed, also while its traces are requested', async () => {
  const { options, clock, store, writer, asked } = await setUp(async () => {
    await writer.undo(2n)
    return slow
  })
  clock.seconds = 1_001
  expect(await fillDue(options, signal)).toBe(true)
  expect(await EvmTraceGaps.summary(store)).toBeUndefined()
  expect(await fillDue(options, signal)).toBe(false)
  expect(asked).toEqual([1_001])
})
