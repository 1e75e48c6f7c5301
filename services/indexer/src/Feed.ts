import { type FirnError, isFirnError } from '@firn/codec'
import type { Clock } from './Clock.ts'
import { IndexerError } from './IndexerError.ts'
import { pause } from './internal/backoff.ts'
import type { Stopwatch } from './internal/Stopwatch.ts'
import type { Logger } from './Logger.ts'
import type { Metrics } from './Metrics.ts'
import * as OpenedBlock from './OpenedBlock.ts'
import type { Problems } from './Problems.ts'
import type { Chain, Source, SourceBlock } from './Source.ts'

/** What {@link createFeed} needs. */
export interface FeedOptions {
  readonly chain: Chain
  readonly source: Source
  /** The last block that is applied. */
  readonly link: OpenedBlock.Link
  /** The chain's id, when proposers' signatures are to be checked. */
  readonly signedBy: OpenedBlock.SignedBy
  /** How often the tip is asked for when nothing comes after the last block. */
  readonly pollMs: number
  readonly clock: Clock
  readonly random: () => number
  readonly log: Logger
  readonly metrics: Metrics
  readonly problems: Problems
  readonly stopwatch: Stopwatch
}

/** Blocks of one chain ahead of where it stands, opened and linked. */
export interface Feed {
  readonly chain: Chain
  /** The next block, when it is here. */
  head(): OpenedBlock.OpenedBlock | undefined
  /** Takes the next block away. */
  take(): void
  /** Sees to it that more blocks come; does nothing while some are on their way, or enough are here. */
  request(signal: AbortSignal): void
  /** Settles when what is on its way is here; rejects when nothing ever will be. */
  arrival(): Promise<void>
  /** Asks again for the blocks after `link`, since the head broke a rule of the ledger. */
  reject(error: FirnError, link: OpenedBlock.Link): void
  /** How many times in a row the source said that there is nothing after the last block. */
  confirmations(): number
  /** Faults in a row. */
  failures(): number
  tip(): bigint | undefined
}

/** Blocks and bytes kept ahead at most, and asked for at once. */
const MAX_BLOCKS = 1024
const MAX_BYTES = 16 << 20
const REQUEST = 512
/** Empty answers in a row after which a height that a source once named is no longer believed. */
const MAX_EMPTY = 16
/** Faults in a row from which on they count as a problem. */
const TOLERATED = 3

/** Returns a feed that has nothing yet. */
export function createFeed(options: FeedOptions): Feed {
  const { chain, source, metrics, problems, stopwatch, clock } = options
  let link = options.link
  let queue: OpenedBlock.OpenedBlock[] = []
  let taken = 0
  let bytes = 0
  let tip: bigint | undefined
  let [failures, rejections, empty, confirmations, generation] = [0, 0, 0, 0, 0]
  let askedAt = Number.NEGATIVE_INFINITY
  let flight: Promise<void> | undefined
  let final: unknown

  const isIdle = () => confirmations > 0 && clock.now() - askedAt < options.pollMs
  const hasRoom = () => queue.length - taken < MAX_BLOCKS - REQUEST / 2 && bytes < MAX_BYTES
  const learnTip = async (signal: AbortSignal) => {
    askedAt = clock.now()
    const told = (await stopwatch.waiting('fetch', () => source.tip(chain, signal))) ?? 0n
    // A height once seen stays: an answer below it is late. Only when it brings nothing for long it is given up.
    if (tip === undefined || told > tip || empty >= MAX_EMPTY) tip = told
    if (empty >= MAX_EMPTY) empty = 0
    metrics.sourceHeight.set({ chain }, Number(tip))
    return told
  }
  const accept = (given: readonly SourceBlock[]) => {
    stopwatch.during('decode', () => {
      for (const raw of given) {
        const block = OpenedBlock.open(chain, raw, options.signedBy)
        OpenedBlock.assertFollows(block, link)
        queue.push(block)
        bytes += sizeOf(block)
        link = OpenedBlock.linkOf(block)
      }
    })
  }
  const step = async (signal: AbortSignal) => {
    const isCurrent = (
      (at) => () =>
        at === generation
    )(generation)
    if (tip === undefined || link.height >= tip || empty >= MAX_EMPTY) {
      const told = await learnTip(signal)
      if (link.height >= (tip ?? 0n)) {
        // An answer below what is here already comes from one who is behind: it says nothing of the end.
        if (source.isFixed || told >= link.height) confirmations += 1
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
      if (!isFirnError(error) || isFinal(error, source)) {
        final = error
        throw error
      }
      if (link.height > before) failures = 0
      await fail(error, signal)
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
      // Who waits for it sees the failure; without anybody waiting it must not end the process.
      mine.catch(() => undefined)
      flight = mine
    },
    arrival: () => (final === undefined ? (flight ?? Promise.resolve()) : Promise.reject(final)),
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

/** What asking again doesn't change. */
function isFinal(error: FirnError, source: Source): boolean {
  return source.isFixed || error.code === 'INDEXER_NO_RAW_BLOCKS'
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
  if (error.code === 'INDEXER_BLOCK') {
    metrics.refused.inc({ chain, reason: String(reason), origin: String(origin) })
    source.refuse(String(origin))
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

function sizeOf({ container, bytes }: OpenedBlock.OpenedBlock): number {
  return container?.bytes.length ?? bytes.length
}

function missing(chain: Chain, height: bigint, tip: bigint | undefined, source: Source): IndexerError {
  const words = `expected ${chain}-chain block ${height} of ${tip} from ${source.name}, got none`
  return new IndexerError(source.isFixed ? 'INDEXER_ARCHIVE' : 'INDEXER_SOURCE', words, {
    details: { chain, height },
  })
}
