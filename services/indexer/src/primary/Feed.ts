import type { ChainAlias, FirnError } from '@firn/codec'
import { IndexerError } from '../common/IndexerError.ts'
import * as DecodedBlock from './DecodedBlock.ts'
import type { FeedRequestsOptions } from './FeedRequests.ts'
import * as Requests from './FeedRequests.ts'
import type { Source, SourceBlock } from './Source.ts'
import type { Stopwatch } from './Stopwatch.ts'

/** Options of {@link createFeed}. */
export interface FeedOptions extends FeedRequestsOptions {
  /** Link to the last applied block, which the next block must follow. */
  readonly link: DecodedBlock.Link
  /** The chain's id if the signatures of proposers are checked; undefined otherwise. */
  readonly signedBy: DecodedBlock.SignedBy
  /** Called with each block that is added to the feed, and its contents, which the feed does not keep. */
  readonly onBlock?: (
    block: DecodedBlock.DecodedBlock,
    contents: DecodedBlock.WithContents['contents'],
  ) => void
  /** Interval in milliseconds at which the tip is polled while no next block exists. */
  readonly pollMs: number
  readonly stopwatch: Stopwatch
}

/**
 * Prefetches and decodes the next blocks of one chain, and checks that each block follows the previous one.
 */
export interface Feed {
  readonly chain: ChainAlias
  /** Returns the next block; undefined if it has not been fetched yet. */
  head(): DecodedBlock.DecodedBlock | undefined
  /** Removes the next block from the feed. */
  take(): void
  /** Requests more blocks, unless a request is pending or enough blocks are buffered. */
  request(signal: AbortSignal): void
  /** Settles when the pending request has finished; rejects on a permanent error. */
  arrival(): Promise<void>
  /** Returns a promise that settles when the pending request has finished, also by an error; undefined if there is none. */
  answer(): Promise<void> | undefined
  /**
   * Discards the buffered blocks because the first of them broke a ledger rule, and fetches the blocks after
   * `link` again.
   */
  reject(error: FirnError, link: DecodedBlock.Link): void
  /** Returns the number of consecutive answers of the source without a next block. */
  confirmations(): number
  /** Returns the number of consecutive faults of the source. */
  failures(): number
  tip(): bigint | undefined
}

/** Approximate maximum number of blocks that are buffered or requested at once. */
const MAX_BLOCKS = 1024
const MAX_BYTES = 16 << 20
const REQUEST = 512
/** Number of consecutive empty answers after which the highest reported tip is no longer trusted. */
const MAX_EMPTY = 16

type State = Omit<FeedOptions, 'link'> & {
  readonly requests: Requests.FeedRequests
  /** Link to the last block of the queue. */
  link: DecodedBlock.Link
  queue: DecodedBlock.DecodedBlock[]
  /** Number of blocks at the start of the queue that were taken, and size of the others in bytes. */
  taken: number
  bytes: number
  tip: bigint | undefined
  /** Numbers of consecutive empty answers, and of consecutive answers without a next block. */
  empty: number
  confirmations: number
  /** When the source was last asked for its tip, and how often its tips had changed by then. */
  askedAt: number
  changes: number | undefined
}

/** Creates a feed that has not fetched any blocks yet. */
export function createFeed(options: FeedOptions): Feed {
  const { chain } = options
  const names = { failed: `source ${chain}`, rejected: `rules ${chain}` }
  const requests = Requests.create(options, 'INDEXER_NO_RAW_BLOCKS', names)
  const feed: State = {
    ...{ ...options, requests, queue: [], taken: 0, bytes: 0, tip: undefined, empty: 0, confirmations: 0 },
    ...{ askedAt: Number.NEGATIVE_INFINITY, changes: undefined },
  }
  return {
    chain,
    head: () => feed.queue[feed.taken],
    take: () => take(feed),
    request(signal) {
      if (hasRoom(feed) && !isIdle(feed)) Requests.start(requests, (until) => attempt(feed, until), signal)
    },
    arrival: () => Requests.arrival(requests),
    answer: () => requests.flight?.catch(() => undefined),
    reject(error, link) {
      Object.assign(feed, { link, queue: [], taken: 0, bytes: 0, confirmations: 0 })
      Requests.reject(requests, error, requests.rejections + 1)
    },
    confirmations: () => (feed.queue.length > feed.taken ? 0 : feed.confirmations),
    failures: () => requests.failures,
    tip: () => feed.tip,
  }
}

function isIdle({ confirmations, clock, askedAt, pollMs, changes, source }: State): boolean {
  return confirmations > 0 && clock.now() - askedAt < pollMs && changes === source.changes?.count()
}

function hasRoom({ queue, taken, bytes }: State): boolean {
  return queue.length - taken < MAX_BLOCKS - REQUEST / 2 && bytes < MAX_BYTES
}

function take(feed: State): void {
  const block = feed.queue[feed.taken]
  if (block === undefined) return
  feed.bytes -= sizeOf(block)
  feed.taken += 1
  Requests.accept(feed.requests)
  if (feed.taken < REQUEST && feed.taken < feed.queue.length) return
  feed.queue = feed.queue.slice(feed.taken)
  feed.taken = 0
}

async function attempt(feed: State, signal: AbortSignal): Promise<void> {
  const before = feed.link.height
  try {
    await step(feed, signal)
    feed.problems.clear(feed.requests.names.failed)
  } catch (error) {
    // A node that reports blocks and returns none must not keep its tip while other nodes fail.
    if (!(error instanceof IndexerError)) feed.empty += 1
    if (feed.link.height > before) feed.requests.failures = 0
    throw error
  }
}

async function step(feed: State, signal: AbortSignal): Promise<void> {
  const { chain, source, stopwatch, requests, link } = feed
  const { generation } = requests
  if (feed.tip === undefined || link.height >= feed.tip || feed.empty >= MAX_EMPTY) {
    const reported = await learnTip(feed, signal)
    if (feed.link.height >= (feed.tip ?? 0n)) {
      // A tip below the last applied height comes from a lagging node, so it does not count as a confirmation.
      if (source.isFixed || reported >= feed.link.height) feed.confirmations += 1
      return
    }
  }
  feed.confirmations = 0
  const from = feed.link.height + 1n
  const given = await stopwatch.waiting('fetch', () => source.blocks(chain, from, REQUEST, signal))
  if (generation !== requests.generation) return
  if (given.length === 0) {
    feed.empty += 1
    throw missing(chain, from, feed.tip, source)
  }
  feed.empty = 0
  accept(feed, given)
}

/** Asks for the tip, and returns it. A lower one than before is kept only after many empty answers. */
async function learnTip(feed: State, signal: AbortSignal): Promise<bigint> {
  const { chain, source, stopwatch, clock, metrics } = feed
  feed.askedAt = clock.now()
  feed.changes = source.changes?.count()
  const reported = (await stopwatch.waiting('fetch', () => source.tip(chain, signal))) ?? 0n
  // A lower tip comes from a lagging node. After many empty answers, the highest tip was wrong.
  if (feed.tip === undefined || reported > feed.tip || feed.empty >= MAX_EMPTY) feed.tip = reported
  if (feed.empty >= MAX_EMPTY) feed.empty = 0
  metrics.sourceHeight.set({ chain }, Number(feed.tip))
  return reported
}

function accept(feed: State, given: readonly SourceBlock[]): void {
  feed.stopwatch.during('decode', () => {
    for (const raw of given) {
      const { contents, ...block } = DecodedBlock.decode(feed.chain, raw, feed.signedBy)
      DecodedBlock.assertFollows(block, feed.link)
      feed.queue.push(block)
      feed.onBlock?.(block, contents)
      feed.bytes += sizeOf(block)
      feed.link = DecodedBlock.linkOf(block)
    }
  })
}

function sizeOf({ container, bytes }: DecodedBlock.DecodedBlock): number {
  return container?.bytes.length ?? bytes.length
}

function missing(chain: ChainAlias, height: bigint, tip: bigint | undefined, source: Source): IndexerError {
  const words = `expected ${chain}-chain block ${height} of ${tip} from ${source.name}, got no block`
  return new IndexerError(source.isFixed ? 'INDEXER_ARCHIVE' : 'INDEXER_SOURCE', words, {
    details: { chain, height },
  })
}
