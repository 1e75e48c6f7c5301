import { type ChainAlias, type FirnError, isFirnError } from '@firn/codec'
import { type Clock, type Logger, pause } from '@firn/runtime'
import { IndexerError } from '../common/IndexerError.ts'
import type { Problems } from '../common/Problems.ts'
import * as DecodedBlock from './DecodedBlock.ts'
import type { Metrics } from './Metrics.ts'
import type { Source, SourceBlock } from './Source.ts'
import type { Stopwatch } from './Stopwatch.ts'

/** Options of {@link createFeed}. */
export interface FeedOptions {
  readonly chain: ChainAlias
  readonly source: Source
  /** Link to the last applied block, which the next block must follow. */
  readonly link: DecodedBlock.Link
  /** The chain's id if the signatures of proposers are checked; undefined otherwise. */
  readonly signedBy: DecodedBlock.SignedBy
  /** Called with each block that is added to the feed, and its contents, which the feed does not keep. */
  readonly onBlock?: (
    block: DecodedBlock.DecodedBlock,
    contents: DecodedBlock.WithContents['contents'],
  ) => void
  /** Whether the caller waits for the end of the chain, so that errors that waiting cannot resolve are permanent. */
  readonly once: boolean
  /** Interval in milliseconds at which the tip is polled while no next block exists. */
  readonly pollMs: number
  readonly clock: Clock
  readonly random: () => number
  readonly log: Logger
  readonly metrics: Metrics
  readonly problems: Problems
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
/** Number of consecutive faults after which a problem is reported. */
const TOLERATED = 3

/** Creates a feed that has not fetched any blocks yet. */
export function createFeed(options: FeedOptions): Feed {
  const { chain, source, metrics, problems, stopwatch, clock } = options
  let link = options.link
  let queue: DecodedBlock.DecodedBlock[] = []
  let taken = 0
  let bytes = 0
  let tip: bigint | undefined
  let [failures, rejections, empty, confirmations, generation] = [0, 0, 0, 0, 0]
  let askedAt = Number.NEGATIVE_INFINITY
  let flight: Promise<void> | undefined
  let final: unknown

  let changes: number | undefined
  const isIdle = () =>
    confirmations > 0 && clock.now() - askedAt < options.pollMs && changes === source.changes?.count()
  const hasRoom = () => queue.length - taken < MAX_BLOCKS - REQUEST / 2 && bytes < MAX_BYTES
  const learnTip = async (signal: AbortSignal) => {
    askedAt = clock.now()
    changes = source.changes?.count()
    const reported = (await stopwatch.waiting('fetch', () => source.tip(chain, signal))) ?? 0n
    // A lower tip comes from a lagging node. After many empty answers, the highest tip was wrong.
    if (tip === undefined || reported > tip || empty >= MAX_EMPTY) tip = reported
    if (empty >= MAX_EMPTY) empty = 0
    metrics.sourceHeight.set({ chain }, Number(tip))
    return reported
  }
  const accept = (given: readonly SourceBlock[]) => {
    stopwatch.during('decode', () => {
      for (const raw of given) {
        const { contents, ...block } = DecodedBlock.decode(chain, raw, options.signedBy)
        DecodedBlock.assertFollows(block, link)
        queue.push(block)
        options.onBlock?.(block, contents)
        bytes += sizeOf(block)
        link = DecodedBlock.linkOf(block)
      }
    })
  }
  const step = async (signal: AbortSignal) => {
    const isCurrent = (
      (at) => () =>
        at === generation
    )(generation)
    if (tip === undefined || link.height >= tip || empty >= MAX_EMPTY) {
      const reported = await learnTip(signal)
      if (link.height >= (tip ?? 0n)) {
        // A tip below the last applied height comes from a lagging node, so it does not count as a confirmation.
        if (source.isFixed || reported >= link.height) confirmations += 1
        return
      }
    }
    confirmations = 0
    const from = link.height + 1n
    const given = await stopwatch.waiting('fetch', () => source.blocks(chain, from, REQUEST, signal))
    if (!isCurrent()) return
    if (given.length === 0) {
      empty += 1
      throw missing(chain, from, tip, source)
    }
    empty = 0
    accept(given)
  }
  const fail = async (error: FirnError, signal: AbortSignal) => {
    failures += 1
    note(error, failures, options)
    await pause(failures, options, signal)
  }
  const attempt = async (signal: AbortSignal) => {
    const before = link.height
    try {
      if (rejections > 0) await pause(rejections, options, signal)
      await step(signal)
      failures = 0
      problems.clear(`source ${chain}`)
    } catch (error) {
      if (signal.aborted) return
      if (isFinal(error, options)) {
        final = error
        throw error
      }
      // A node that reports blocks and returns none must not keep its tip while other nodes fail.
      if (!(error instanceof IndexerError)) empty += 1
      if (link.height > before) failures = 0
      await fail(isFirnError(error) ? error : unexpected(error, source), signal)
    }
  }
  return {
    chain,
    head: () => queue[taken],
    take() {
      const block = queue[taken]
      if (block === undefined) return
      bytes -= sizeOf(block)
      taken += 1
      if (rejections > 0) problems.clear(`rules ${chain}`)
      rejections = 0
      if (taken < REQUEST && taken < queue.length) return
      queue = queue.slice(taken)
      taken = 0
    },
    request(signal) {
      if (flight !== undefined || final !== undefined || !hasRoom() || isIdle() || signal.aborted) return
      const mine = attempt(signal).finally(() => {
        if (flight === mine) flight = undefined
      })
      // `arrival` reports the failure. Until it is called, the rejection must not end the process.
      mine.catch(() => undefined)
      flight = mine
    },
    arrival: () => (final === undefined ? (flight ?? Promise.resolve()) : Promise.reject(final)),
    answer: () => flight?.catch(() => undefined),
    reject(error, to) {
      rejections += 1
      generation += 1
      ;[link, queue, taken, bytes, confirmations] = [to, [], 0, 0, 0]
      note(error, rejections, options, `rules ${chain}`)
    },
    confirmations: () => (queue.length > taken ? 0 : confirmations),
    failures: () => failures,
    tip: () => tip,
  }
}

/** Returns whether the error ends the feed, because a retry cannot help or nobody waits for one. */
function isFinal(error: unknown, { source, once }: FeedOptions): boolean {
  if (source.isFixed) return true
  return once && (!isFirnError(error) || error.code === 'INDEXER_NO_RAW_BLOCKS')
}

/** Returns the error of a source for an error that is not typed, which is a bug. */
export function unexpected(cause: unknown, { name }: Pick<Source, 'name'>): IndexerError {
  const words = `${name}: an answer caused an unexpected error, which is a bug of Firn: ${cause}`
  return new IndexerError('INDEXER_SOURCE', words, { cause, details: { reason: 'unexpected' } })
}

function note(
  error: FirnError,
  failures: number,
  { chain, source, metrics, problems, log }: FeedOptions,
  name = `source ${chain}`,
): void {
  const { reason, origin, height } = error.details as Partial<Record<string, unknown>>
  const facts = {
    chain,
    code: error.code,
    failures,
    ...(height === undefined ? {} : { height: `${height}` }),
  }
  if (reason === 'unexpected')
    log.error({ ...facts, err: error.cause }, `unexpected error, which is a bug: ${error.message}`)
  if (error.code === 'INDEXER_BLOCK' || error.code === 'INDEXER_UNSUPPORTED') {
    metrics.refused.inc({ chain, reason: String(reason), origin: String(origin) })
    source.refuse(String(origin), error)
    problems.set(name, error.message)
    log.warn(facts, `refused ${error.message}`)
    return
  }
  metrics.faults.inc({ chain, code: error.code })
  if (failures < TOLERATED) {
    log.debug(facts, error.message)
    return
  }
  problems.set(name, error.message)
  log.warn(facts, error.message)
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
