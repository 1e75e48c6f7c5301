import { type ChainAlias, type FirnError, isFirnError } from '@firn/codec'
import { type Clock, type Logger, pause } from '@firn/runtime'
import { IndexerError, type IndexerErrorCode } from '../common/IndexerError.ts'
import type { Problems } from '../common/Problems.ts'
import type { Metrics } from './Metrics.ts'
import type { Source } from './Source.ts'

/** Options of {@link create}. */
export interface FeedRequestsOptions {
  readonly chain: ChainAlias
  readonly source: Source
  /** Whether the caller waits for the end of the chain, so that errors that waiting cannot resolve are permanent. */
  readonly once: boolean
  readonly clock: Clock
  readonly random: () => number
  readonly log: Logger
  readonly metrics: Metrics
  readonly problems: Problems
}

/** The requests of a feed to its source, of which one is sent at a time. After a fault, the next one follows a pause. */
export interface FeedRequests extends FeedRequestsOptions {
  /** Code of the error that waiting cannot resolve. */
  readonly finalCode: IndexerErrorCode
  /** Name of the problem of a source that fails, and of one whose data were rejected. */
  readonly names: { readonly failed: string; readonly rejected: string }
  /** Number of consecutive faults. */
  failures: number
  /** Number of consecutive rejections of what was fetched. */
  rejections: number
  /** Number of all rejections. Answers to requests from before the last one are dropped. */
  generation: number
  flight: Promise<void> | undefined
  /** Permanent error, after which no request follows. */
  final: unknown
}

/** Number of consecutive faults after which a problem is reported. */
export const TOLERATED = 3

/** Creates the state of a feed that has not sent any request. */
export function create(
  options: FeedRequestsOptions,
  finalCode: IndexerErrorCode,
  names: FeedRequests['names'],
): FeedRequests {
  const counts = { failures: 0, rejections: 0, generation: 0 }
  return { ...options, finalCode, names, ...counts, flight: undefined, final: undefined }
}

/** Sends a request by calling `step`, unless one is pending or an error is permanent. */
export function start(
  requests: FeedRequests,
  step: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): void {
  if (requests.flight !== undefined || requests.final !== undefined || signal.aborted) return
  const mine = attempt(requests, step, signal).finally(() => {
    if (requests.flight === mine) requests.flight = undefined
  })
  // `arrival` reports the failure. Until it is called, the rejection must not end the process.
  mine.catch(() => undefined)
  requests.flight = mine
}

async function attempt(
  requests: FeedRequests,
  step: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  try {
    if (requests.rejections > 0) await pause(requests.rejections, requests, signal)
    await step(signal)
    requests.failures = 0
  } catch (error) {
    if (signal.aborted) return
    if (isFinal(error, requests)) {
      requests.final = error
      throw error
    }
    requests.failures += 1
    const known = isFirnError(error) ? error : unexpected(error, requests.source)
    note(requests, known, requests.failures, requests.names.failed)
    await pause(requests.failures, requests, signal)
  }
}

/** Settles when the pending request has finished; rejects on a permanent error. */
export function arrival({ final, flight }: FeedRequests): Promise<void> {
  return final === undefined ? (flight ?? Promise.resolve()) : Promise.reject(final)
}

/** Returns whether a request is pending, or failed for good. */
export function isPending({ flight, final }: FeedRequests): boolean {
  return flight !== undefined || final !== undefined
}

/** Records that fetched data broke a rule. Drops the answer to the pending request. */
export function reject(requests: FeedRequests, error: FirnError, failures: number): void {
  requests.rejections += 1
  requests.generation += 1
  note(requests, error, failures, requests.names.rejected)
}

/** Records that fetched data were applied. */
export function accept(requests: FeedRequests): void {
  if (requests.rejections > 0) requests.problems.clear(requests.names.rejected)
  requests.rejections = 0
}

/** Returns whether the error ends the feed, because a retry cannot help or nobody waits for one. */
function isFinal(error: unknown, { source, once, finalCode }: FeedRequests): boolean {
  if (source.isFixed) return true
  return once && (!isFirnError(error) || error.code === finalCode)
}

/** Returns the error of a source for an error that is not typed, which is a bug. */
export function unexpected(cause: unknown, { name }: Pick<Source, 'name'>): IndexerError {
  const words = `${name}: an answer caused an unexpected error, which is a bug of Firn: ${cause}`
  return new IndexerError('INDEXER_SOURCE', words, { cause, details: { reason: 'unexpected' } })
}

/** Logs and counts a fault. Reports it as a problem if the source is to blame, or if it has failed repeatedly. */
function note(
  { chain, source, metrics, problems, log }: FeedRequests,
  error: FirnError,
  failures: number,
  name: string,
): void {
  const { code, message, details, cause } = error
  const { reason, origin, height } = details as Partial<Record<string, unknown>>
  const facts = { chain, code, failures, ...(height === undefined ? {} : { height: `${height}` }) }
  if (reason === 'unexpected')
    log.error({ ...facts, err: cause }, `unexpected error, which is a bug: ${message}`)
  const isRefused = code === 'INDEXER_BLOCK' || code === 'INDEXER_UNSUPPORTED'
  if (isRefused) {
    metrics.refused.inc({ chain, reason: String(reason), origin: String(origin) })
    source.refuse(String(origin), error)
  } else metrics.faults.inc({ chain, code })
  if (!isRefused && failures < TOLERATED) {
    log.debug(facts, message)
    return
  }
  problems.set(name, message)
  log.warn(facts, isRefused ? `refused ${message}` : message)
}
