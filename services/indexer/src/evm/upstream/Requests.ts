import { isFirnError } from '@firn/codec'
import type { Clock, Logger } from '@firn/runtime'
import { IndexerError } from '../../common/IndexerError.ts'
import { createRepeats, type Repeats } from '../../common/Repeats.ts'
import { untraced } from './assemble.ts'
import { type BatchSize, createBatchSize } from './BatchSize.ts'
import type { EvmMetrics } from './EvmMetrics.ts'
import { type Answer, type Answers, type Call, type JsonRpc, TIMEOUT_MS } from './JsonRpc.ts'
import { createPatience, type Patience, type Wait } from './Patience.ts'
import { isTimeout } from './refusals.ts'
import { createTurns, type Turns } from './Turns.ts'

/** Options of {@link create}. */
export interface RequestsOptions {
  readonly rpc: JsonRpc
  /** Expected chain id. */
  readonly chainId: bigint
  /** Maximum number of concurrent requests. */
  readonly concurrency: number
  /** Maximum number of calls in one request. */
  readonly maxBatch: number
  /** Maximum pause after failures, in milliseconds. */
  readonly longestPauseMs: number
  /** Time limit of a request in milliseconds; default 15,000. */
  readonly timeoutMs?: number | undefined
  /** Maximum time limit of a request for traces in milliseconds, up to which it grows; default 240,000. */
  readonly traceTimeoutMs?: number | undefined
  readonly clock: Clock
  readonly random: () => number
  readonly log: Logger
  readonly metrics: Pick<EvmMetrics, 'requests' | 'faults'>
}

/** The requests to one node: their limits, which follow the node's capacity, and their failures. */
export interface Requests extends Pick<RequestsOptions, 'rpc' | 'clock' | 'log' | 'metrics'> {
  readonly labels: { readonly chain: string; readonly upstream: string }
  readonly size: BatchSize
  readonly turns: Turns
  readonly patience: Patience
  readonly isRepeated: Repeats
  /** Number of times that the node recovered after repeated failures. Another node may then answer at the same URL. */
  recoveries: number
  /** Error of the last request; undefined after a success. */
  problem: IndexerError | undefined
}

/** Default of the longest time limit for traces, in milliseconds. */
export const TRACE_TIMEOUT_MS = 240_000
/** Number of consecutive failures after which a node counts as failing. */
export const FAILING = 3
const FIRST_BATCH = 16
/** Codes of errors after which a smaller request could succeed. */
const NARROWING = [
  'INDEXER_RPC_TOO_LARGE',
  'INDEXER_RPC_MALFORMED',
  'INDEXER_RPC_REFUSED',
  'INDEXER_RPC_TIMEOUT',
]

/** Creates the state of a node to which no request was sent. */
export function create(options: RequestsOptions): Requests {
  const { rpc, clock, random, log, metrics, longestPauseMs, maxBatch, concurrency } = options
  const { timeoutMs: firstMs = TIMEOUT_MS, traceTimeoutMs: mostMs = TRACE_TIMEOUT_MS } = options
  return {
    ...{ rpc, clock, log, metrics },
    labels: { chain: `${options.chainId}`, upstream: rpc.name },
    size: createBatchSize(FIRST_BATCH, maxBatch),
    turns: createTurns({ most: concurrency, longestPauseMs, clock, random }),
    patience: createPatience({ now: clock.now, firstMs, mostMs }),
    isRepeated: createRepeats(clock.now, FAILING),
    recoveries: 0,
    problem: undefined,
  }
}

/** Counts a fault of the node. */
export function note(
  { metrics, labels, log }: Requests,
  { code, message }: { readonly code: string; readonly message: string },
): void {
  metrics.faults.inc({ ...labels, code })
  log.debug({ upstream: labels.upstream, code }, message)
}

/**
 * Sends calls, in as many requests as the node's limits require. An answer may be the error of a single call.
 * @throws IndexerError if a request fails
 */
export async function ask(
  requests: Requests,
  calls: readonly Call[],
  signal: AbortSignal,
  wait?: Wait,
): Promise<readonly Answer[]> {
  const { size, patience } = requests
  const all = new Array<Answer>(calls.length)
  let open = [...calls.keys()]
  while (open.length > 0) {
    const next = open.slice(0, size.current()).map((i) => calls[i] as Call)
    const sent = next.slice(0, patience.fitting(next, wait))
    const places = open.slice(0, sent.length)
    const rest = open.slice(sent.length)
    try {
      const { answers } = await request(requests, sent, signal, wait)
      const again = sent.length === 1 ? [] : places.filter((_i, k) => isTooLarge(answers[k]))
      places.forEach((i, k) => {
        const answer = answers[k] as Answer
        all[i] = again.includes(i) ? answer : orTooSlow(requests, sent[k] as Call, answer, wait)
      })
      if (again.length === 0) size.accepted(sent.length)
      else size.refused(sent.length)
      open = [...again, ...rest]
    } catch (error) {
      if (!isFirnError(error) || !NARROWING.includes(error.code)) throw error
      const isLate = error.code === 'INDEXER_RPC_TIMEOUT'
      if (sent.length > 1) {
        size.refused(sent.length)
        if (isLate) throw error
        continue
      }
      all[places[0] as number] = {
        error: singleError(requests, sent[0] as Call, error as IndexerError, wait),
      }
      open = rest
      if (!isLate) continue
      // The other calls would come too late as well, but the answers so far are kept.
      for (const i of rest) all[i] = { error: error as IndexerError }
      return all
    }
  }
  return all
}

/** Returns the answer to a call whose request failed. @throws the error, if it may concern all calls */
function singleError(requests: Requests, call: Call, error: IndexerError, wait?: Wait): IndexerError {
  const { patience, labels } = requests
  if (patience.isPatient(call)) {
    if (error.code === 'INDEXER_RPC_TIMEOUT')
      return patience.isGivenUp(call) ? untraced(labels.upstream, error.message) : error
    if (error.code === 'INDEXER_RPC_TOO_LARGE') return tooSlow(requests, call, error, wait)
  }
  // Some nodes refuse a single call with an HTTP status.
  if (error.code === 'INDEXER_RPC_REFUSED') return error
  throw error
}

async function request(
  requests: Requests,
  calls: readonly Call[],
  signal: AbortSignal,
  wait?: Wait,
): Promise<Answers> {
  const { patience, turns, labels } = requests
  const runningMs = patience.runningMs(calls)
  if (runningMs > 0) throw stillRunning(labels.upstream, runningMs)
  // Traces that are filled in later are requested beside all other requests, which neither wait for them nor suffer.
  if (wait === 'longest' && patience.isPatient(calls[0]))
    return send(requests, calls.slice(0, 1), signal, wait)
  await turns.take(signal)
  try {
    const answers = await send(requests, calls, signal, wait)
    const limited = answers.answers.find(({ error }) => error?.code === 'INDEXER_RPC_LIMITED')?.error
    if (limited !== undefined) {
      note(requests, limited)
      throw limited
    }
    if (turns.failures() > 1) requests.recoveries += 1
    requests.problem = undefined
    turns.succeeded()
    return answers
  } catch (error) {
    // A request that is too large is not the node's fault, and a smaller request follows immediately.
    const isNoFault = calls.length > 1 && isFirnError(error) && error.code === 'INDEXER_RPC_TOO_LARGE'
    if (signal.aborted || !isFirnError(error) || isNoFault) turns.left()
    else fail(requests, error as IndexerError)
    throw error
  }
}

async function send(
  requests: Requests,
  calls: readonly Call[],
  signal: AbortSignal,
  wait?: Wait,
): Promise<Answers> {
  const { rpc, clock, metrics, patience, labels } = requests
  metrics.requests.inc(labels)
  const since = clock.now()
  try {
    const answers = await rpc.ask(calls, signal, patience.limitMs(calls, wait))
    patience.answered(calls, clock.now() - since)
    return answers
  } catch (error) {
    if (signal.aborted || !isFirnError(error)) throw error
    note(requests, error)
    if (error.code === 'INDEXER_RPC_TIMEOUT') patience.late(calls, wait)
    throw error
  }
}

/** Records that a request failed. */
function fail(requests: Requests, error: IndexerError): void {
  const { turns, isRepeated, log, labels } = requests
  requests.problem = error
  turns.failed(error)
  // Failures count even if other requests succeed meanwhile.
  if (isRepeated(error)) log.warn({ ...labels, code: error.code }, `a node keeps failing: ${error.message}`)
}

/**
 * Returns the error for traces that are too large, or that take longer than the node's own time limit. Like a late
 * answer, this is final only after the longest time, because it may pass, and so that a node that refuses everything for
 * a while does not make the chain lack all traces.
 */
function tooSlow({ patience, labels }: Requests, call: Call, error: IndexerError, wait?: Wait): IndexerError {
  patience.late([call], wait)
  if (patience.isGivenUp(call)) return untraced(labels.upstream, error.message)
  return new IndexerError('INDEXER_RPC_TIMEOUT', error.message, { details: error.details, cause: error })
}

function orTooSlow(requests: Requests, call: Call, answer: Answer, wait?: Wait): Answer {
  const { error } = answer
  if (error === undefined || !requests.patience.isPatient(call)) return answer
  const isLate = isTimeout(String(error.details['rpcMessage'] ?? ''))
  return isTooLarge(answer) || isLate ? { error: tooSlow(requests, call, error, wait) } : answer
}

function stillRunning(name: string, ms: number): IndexerError {
  const seconds = Math.ceil(ms / 1000)
  const message = `${name} did not return traces in time, and may still work on them; they are requested again in ${seconds} s`
  return new IndexerError('INDEXER_RPC_TIMEOUT', message, { details: { upstream: name } })
}

function isTooLarge(answer: Answer | undefined): boolean {
  return answer?.error?.code === 'INDEXER_RPC_TOO_LARGE'
}
