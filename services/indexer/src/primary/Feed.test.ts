import { RpcError } from '@firn/rpc'
import { type Clock, silentLogger } from '@firn/runtime'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { IndexerError } from '../common/IndexerError.ts'
import * as Problems from '../common/Problems.ts'
import { temporaryFolder, unpack } from '../testing/archives.ts'
import { createArchiveSource } from './archive/ArchiveSource.ts'
import * as DecodedBlock from './DecodedBlock.ts'
import { createFeed, type Feed, type FeedOptions } from './Feed.ts'
import * as Metrics from './Metrics.ts'
import type { Source, SourceBlock } from './Source.ts'
import { createStopwatch } from './Stopwatch.ts'

const { folder, remove } = temporaryFolder()
let given: readonly SourceBlock[] = []
beforeAll(async () => {
  unpack('local', folder)
  const source = createArchiveSource(folder)
  given = await source.blocks('P', 1n, 100)
  await source.close()
})
afterAll(remove)

const signal = new AbortController().signal
const fault = new RpcError('RPC_TIMEOUT', 'too late')

/**
 * Returns a source that reports the given tips one after another and then repeats the last one. `counts`
 * contains the maximum number of blocks in each answer.
 */
const scripted = (tips: readonly (bigint | Error)[], counts: readonly (number | Error)[] = [100]) => {
  const refused: string[] = []
  let [tip, block] = [0, 0]
  const next = <T>(script: readonly (T | Error)[], at: number): T => {
    const answer = script[Math.min(at, script.length - 1)]
    if (answer instanceof Error) throw answer
    return answer as T
  }
  const source: Source = {
    name: 'script',
    isFixed: false,
    tip: async () => next(tips, tip++),
    blocks: async (_chain, from) => {
      const start = Number(from) - 1
      return given.slice(start, start + next(counts, block++))
    },
    refuse: (origin) => void refused.push(origin),
    close: async () => undefined,
  }
  return { source, refused }
}

const create = (source: Source, { log = silentLogger, ...options }: Partial<FeedOptions> = {}) => {
  const first = DecodedBlock.decode('P', given[0] as SourceBlock)
  const link = { height: 0n, blockId: first.parentId, containerId: undefined }
  let now = 0
  const pauses: number[] = []
  const clock: Clock = {
    now: () => now,
    sleep: async (ms) => {
      pauses.push(ms)
      now += ms
    },
  }
  const metrics = Metrics.create()
  const problems = Problems.create()
  const stopwatch = createStopwatch(clock, metrics)
  const own = { once: false, clock, random: () => 0.5, log, metrics, problems, stopwatch, pollMs: 100 }
  const feed = createFeed({ chain: 'P', source, link, signedBy: undefined, ...own, ...options })
  const turn = async () => {
    now += 1_000
    feed.request(signal)
    await feed.arrival()
  }
  return { feed, turn, pauses, problems, metrics }
}
const drain = (feed: Feed): number[] => {
  const heights: number[] = []
  for (let head = feed.head(); head !== undefined; head = feed.head()) {
    heights.push(Number(head.height))
    feed.take()
  }
  return heights
}

it('fetches blocks up to the tip, and then requests the tip again to confirm it', async () => {
  const { feed, turn } = create(scripted([5n, 5n, 5n, 7n, 7n], [3, 2, 100]).source)
  await turn()
  expect(feed.tip()).toBe(5n)
  await turn()
  expect(drain(feed)).toEqual([1, 2, 3, 4, 5])
  await turn()
  await turn()
  expect(feed.confirmations()).toBe(2)
  await turn()
  expect(feed.confirmations()).toBe(0)
  expect(drain(feed)).toHaveLength(80)
})

it('ignores a lagging tip, and does not count it as a confirmation that there are no more blocks', async () => {
  const { feed, turn } = create(scripted([10n, 4n, 4n, 3n, 10n, 10n], [4, 6]).source)
  await turn()
  await turn()
  expect(drain(feed)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  await turn()
  await turn()
  await turn()
  expect(feed.confirmations()).toBe(0)
  expect(feed.tip()).toBe(10n)
  await turn()
  await turn()
  expect(feed.confirmations()).toBe(2)
})

it('retries empty answers with growing pauses', async () => {
  const { feed, turn, pauses, problems } = create(scripted([10n], [0, 0, 0, 0, 10]).source)
  for (let i = 0; i < 4; i++) await turn()
  expect(pauses).toEqual([75, 150, 300, 600])
  expect(problems.list()).toEqual([
    expect.stringMatching(/expected P-chain block 1 of 10 from script, got no block/),
  ])
  expect(feed.confirmations()).toBe(0)
  await turn()
  expect(drain(feed)).toHaveLength(10)
  expect(problems.list()).toEqual([])
  expect(feed.failures()).toBe(0)
})

it('stops requesting a height that the source reports but never returns', async () => {
  const { feed, turn } = create(scripted([99n, 10n], [10, 0]).source)
  await turn()
  expect(feed.tip()).toBe(99n)
  for (let i = 0; i < 16; i++) await turn()
  expect(feed.tip()).toBe(99n)
  drain(feed)
  for (let i = 0; i < 3; i++) await turn()
  expect(feed.tip()).toBe(10n)
  expect(feed.confirmations()).toBeGreaterThan(0)
})

it('pauses at most ten seconds between attempts after consecutive faults, and reports the faults', async () => {
  const { feed, turn, pauses, metrics } = create(scripted([fault]).source)
  for (let i = 0; i < 10; i++) await turn()
  expect(pauses.at(-1)).toBe(7_500)
  expect(feed.failures()).toBe(10)
  expect(await metrics.registry.metrics()).toMatch(/source_faults_total\{chain="P",code="RPC_TIMEOUT"\} 10/)
})

it('rejects a block that does not follow its predecessor, but delivers the earlier blocks', async () => {
  const { source, refused } = scripted([10n])
  const blocks: Source['blocks'] = async (_chain, from) => {
    const start = Number(from) - 1
    return start === 0 ? given.toSpliced(4, 1).slice(0, 9) : given.slice(start, 10)
  }
  const { feed, turn, metrics } = create({ ...source, blocks })
  await turn()
  expect(refused).toHaveLength(1)
  await turn()
  expect(drain(feed)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  expect(await metrics.registry.metrics()).toMatch(
    /refused_blocks_total\{chain="P",reason="height",origin=".*"\} 1/,
  )
})

it('fetches again from the last valid block when the ledger rejects a block', async () => {
  const { source, refused } = scripted([10n])
  const { feed, turn, pauses, problems } = create(source)
  await turn()
  const [first, second] = [feed.head(), given[1]]
  feed.take()
  const error = DecodedBlock.refused('P', 2n, 'rules', 'no', second?.origin ?? '')
  feed.reject(error, DecodedBlock.linkOf(first as DecodedBlock.DecodedBlock))
  expect(feed.head()).toBeUndefined()
  expect(refused).toEqual([second?.origin])
  expect(problems.list()).toEqual([error.message])
  await turn()
  expect(pauses).toEqual([75])
  expect(drain(feed)[0]).toBe(2)
  expect(problems.list()).toEqual([])
})

it('reports a block of a later upgrade as a problem that names the remedy, and delivers no block after it', async () => {
  const { source } = scripted([10n])
  const unknown = { ...(given[2] as SourceBlock), bytes: Uint8Array.of(0, 1, 0, 0), id: undefined as never }
  const blocks: Source['blocks'] = async (_chain, from) =>
    given.toSpliced(2, 1, unknown).slice(Number(from) - 1, 10)
  const { feed, turn, problems } = create({ ...source, blocks })
  for (let i = 0; i < 3; i++) await turn()
  expect(drain(feed)).toEqual([1, 2])
  expect(problems.list()).toEqual([expect.stringMatching(/codec version.* upgrade Firn\.$/)])
})

it('retries after unexpected errors of a source, and logs them as bugs', async () => {
  const bugs: string[] = []
  const log = { ...silentLogger, error: (_facts: object, message: string) => void bugs.push(message) }
  const { source } = scripted([new RangeError('a bug'), 5n], [5])
  const { feed, turn } = create(source, { log })
  await turn()
  expect(bugs).toEqual([expect.stringMatching(/unexpected error, which is a bug: script: .*a bug/)])
  await turn()
  expect(drain(feed)).toEqual([1, 2, 3, 4, 5])
})

it('reports no bug of an error that has a cause of another kind', async () => {
  const bugs: string[] = []
  const log = { ...silentLogger, error: (_facts: object, message: string) => void bugs.push(message) }
  const down = new RpcError('RPC_TRANSPORT', 'cannot reach the node', {
    cause: new TypeError('fetch failed'),
  })
  const { turn } = create(scripted([down]).source, { log })
  for (let i = 0; i < 4; i++) await turn()
  expect(bugs).toEqual([])
})

it('requests the tip again after many faults, because it may have been wrong', async () => {
  const { feed, turn } = create(scripted([1_000n, 5n], [5, ...Array<Error>(16).fill(fault), 0]).source)
  for (let i = 0; i < 18; i++) await turn()
  expect(feed.tip()).toBe(5n)
})

it('ends with an unexpected error while the caller waits for the end', async () => {
  const { source } = scripted([new RangeError('a bug')])
  const { feed, turn } = create(source, { once: true })
  await expect(turn()).rejects.toThrow('a bug')
  await expect(feed.arrival()).rejects.toThrow('a bug')
})

it('retries while a node serves no raw blocks, and names this as a problem', async () => {
  const refusal = new IndexerError('INDEXER_NO_RAW_BLOCKS', 'enable the Index API')
  const { feed, turn, problems } = create(scripted([5n], [refusal, refusal, refusal, 5]).source)
  for (let i = 0; i < 3; i++) await turn()
  expect(problems.list()).toEqual(['enable the Index API'])
  await turn()
  expect(drain(feed)).toEqual([1, 2, 3, 4, 5])
  const ended = create(scripted([5n], [refusal]).source, { once: true })
  await expect(ended.turn()).rejects.toThrow('enable the Index API')
})

it('blames the source of bytes that the decoder cannot cope with', async () => {
  const { source, refused } = scripted([5n], [5])
  let isHostile = true
  const hostile: SourceBlock = { kind: 'block', origin: 'liar', bytes: undefined as never }
  const blocks: Source['blocks'] = async (...asked) => (isHostile ? [hostile] : source.blocks(...asked))
  const { feed, turn, problems } = create({ ...source, blocks })
  await turn()
  expect(refused).toEqual(['liar'])
  expect(problems.list()).toEqual([expect.stringMatching(/block of the P-chain from liar: TypeError/)])
  isHostile = false
  await turn()
  expect(drain(feed)).toHaveLength(5)
})
