import { isFirnError } from '@firn/codec'
import type { Clock, Logger } from '@firn/runtime'
import type { LogSelection } from '@firn/store/evm'
import { IndexerError } from '../../common/IndexerError.ts'
import { createRepeats } from '../../common/Repeats.ts'
import { createTrust } from '../../common/Trust.ts'
import { type Abilities, type Ask, probe } from './abilities.ts'
import { assemble, type BlockRequest, type Outcome, untraced } from './assemble.ts'
import { assembleLogs } from './assembleLogs.ts'
import { createBatchSize } from './BatchSize.ts'
import type { EvmMetrics } from './EvmMetrics.ts'
import { type Answer, type Answers, type Call, type JsonRpc, TIMEOUT_MS } from './JsonRpc.ts'
import { createPatience, type Wait } from './Patience.ts'
import { isTimeout } from './refusals.ts'
import { createShared } from './Shared.ts'
import { createTurns } from './Turns.ts'

export type { Abilities } from './abilities.ts'
export type { BlockRequest, Outcome } from './assemble.ts'

/** Options of {@link createEvmUpstream}. */
export interface EvmUpstreamOptions {
  readonly rpc: JsonRpc
  /** Expected chain id. */
  readonly chainId: bigint
  /** Height of the first block to fetch. */
  readonly firstHeight: bigint
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
  /**
   * Compares the node's chain with the stored one. Called before the node's first use and after {@link
   * EvmUpstream.recheck}. If undefined, every chain with the right id is accepted.
   * @throws IndexerError, which makes the node unusable until the next comparison
   */
  readonly assertSameChain?: (ask: Ask, name: string) => Promise<void>
}

/** The parts of blocks that are fetched. */
export interface Contents {
  /** Whether blocks are fetched with traces. */
  readonly withTraces: boolean
  /** How long to wait for the traces; by default `growing`. Requests with `longest` do not make other requests wait. */
  readonly wait?: Wait | undefined
  /** The logs to fetch instead of transactions, receipts and traces; undefined to fetch whole blocks. */
  readonly logs?:
    | {
        readonly selection: LogSelection
        /** Returns the height up to which blocks are not replaced any more. */
        readonly lastFinal: () => bigint
      }
    | undefined
}

/**
 * Connection to one node of an EVM chain. It adapts the request rate to the node's capacity, and pauses after
 * failures.
 */
export interface EvmUpstream {
  readonly name: string
  /**
   * Returns the node's capabilities. They are detected on first use, and again when the node has recovered from
   * repeated failures.
   * @throws IndexerError `INDEXER_CHAIN`, `INDEXER_RESET`, `INDEXER_REORGANISATION`, or the errors of `ask`
   */
  abilities(signal: AbortSignal): Promise<Abilities>
  /** Requires a comparison of the node's chain with the stored one before the node's next use. */
  recheck(): void
  /**
   * Sends calls, in as many requests as the node's limits require. An answer may be the error of a single
   * call.
   * @throws IndexerError if a request fails
   */
  ask(calls: readonly Call[], signal: AbortSignal): Promise<readonly Answer[]>
  /**
   * Returns each requested block, or the reason why it is incomplete.
   * @throws IndexerError if a request fails
   */
  blocks(
    requests: readonly BlockRequest[],
    contents: Contents,
    signal: AbortSignal,
  ): Promise<readonly Outcome[]>
  readonly subscribe: JsonRpc['subscribe']
  /** Returns the current maximum number of calls per request. */
  batchCalls(): number
  /** Returns the number of consecutive failures. */
  failures(): number
  /** Returns the time until the next request is allowed, in milliseconds. */
  waitMs(): number
  /** Returns the node's current problem; undefined while the node works. */
  problem(): IndexerError | undefined
  /** Records that one of the node's answers was rejected. If it was wrong, the node is trusted less; see {@link isLie}. */
  refuse(error: { readonly code: string; readonly message: string }): void
  /** Returns whether the node has rarely returned wrong data; see `Trust`. */
  isTrusted(): boolean
  /** Returns why the node is used last; undefined if it is trusted. */
  warning(): string | undefined
  /** Records the height of the newest block that the node has reported. */
  report(height: bigint): void
  /** Returns the height of the newest block that the node has reported; undefined if it has reported none. */
  reported(): bigint | undefined
  close(): void
}

/** Default of the longest time limit for traces, in milliseconds. */
export const TRACE_TIMEOUT_MS = 240_000
const FIRST_BATCH = 16
/** Number of consecutive failures after which a node counts as failing. */
export const FAILING = 3
/** Maximum number of blocks whose logs are requested at once. */
const MAX_RANGE = 2_000
/** Codes of errors after which a smaller request could succeed. */
const NARROWING = [
  'INDEXER_RPC_TOO_LARGE',
  'INDEXER_RPC_MALFORMED',
  'INDEXER_RPC_REFUSED',
  'INDEXER_RPC_TIMEOUT',
]

/** Creates a connection to a node. It sends no request until it is used. */
export function createEvmUpstream(options: EvmUpstreamOptions): EvmUpstream {
  const { rpc, clock, random, log, metrics, longestPauseMs } = options
  const { name } = rpc
  const size = createBatchSize(FIRST_BATCH, options.maxBatch)
  const range = createBatchSize(MAX_RANGE, MAX_RANGE)
  const turns = createTurns({ most: options.concurrency, longestPauseMs, clock, random })
  /**
   * Number of times that the node recovered after repeated failures. After a recovery, another node may
   * answer at the same URL.
   */
  let generation = 0
  /** The generation whose capabilities are known. */
  let foundGeneration = 0
  let problem: IndexerError | undefined
  /** Reason why the node's capabilities or its chain could not be read; undefined once they are. */
  let unusable: IndexerError | undefined
  /** Reason why the node is unusable until its chain is compared again. */
  let foreign: IndexerError | undefined
  const labels = { chain: `${options.chainId}`, upstream: name }
  const { timeoutMs: firstMs = TIMEOUT_MS, traceTimeoutMs: mostMs = TRACE_TIMEOUT_MS } = options
  const patience = createPatience({ now: clock.now, firstMs, mostMs })
  const trust = createTrust(name, clock.now)
  let newest: bigint | undefined
  const isRepeated = createRepeats(clock.now, FAILING)
  const note = (error: { readonly code: string; readonly message: string }) => {
    metrics.faults.inc({ ...labels, code: error.code })
    log.debug({ upstream: name, code: error.code }, error.message)
  }
  /** Requests traces that are filled in later, beside all other requests, which neither wait for it nor suffer from it. */
  const requestAside = async (call: Call, signal: AbortSignal): Promise<Answers> => {
    metrics.requests.inc(labels)
    const since = clock.now()
    try {
      const answers = await rpc.ask([call], signal, patience.limitMs([call], 'longest'))
      patience.answered([call], clock.now() - since)
      return answers
    } catch (error) {
      if (signal.aborted || !isFirnError(error)) throw error
      note(error)
      if (error.code === 'INDEXER_RPC_TIMEOUT') patience.late([call], 'longest')
      throw error
    }
  }
  const request = async (calls: readonly Call[], signal: AbortSignal, wait?: Wait): Promise<Answers> => {
    const runningMs = patience.runningMs(calls)
    if (runningMs > 0) throw stillRunning(name, runningMs)
    const [only] = calls
    if (wait === 'longest' && only !== undefined && patience.isPatient(only))
      return requestAside(only, signal)
    await turns.take(signal)
    metrics.requests.inc(labels)
    const since = clock.now()
    try {
      const answers = await rpc.ask(calls, signal, patience.limitMs(calls, wait))
      patience.answered(calls, clock.now() - since)
      const limited = answers.answers.find(({ error }) => error?.code === 'INDEXER_RPC_LIMITED')
      if (limited?.error !== undefined) throw limited.error
      if (turns.failures() > 1) generation += 1
      problem = undefined
      turns.succeeded()
      return answers
    } catch (error) {
      if (signal.aborted || !isFirnError(error)) {
        turns.left()
        throw error
      }
      note(error)
      if (error.code === 'INDEXER_RPC_TIMEOUT') patience.late(calls, wait)
      // A request that is too large is not the node's fault, and a smaller request follows immediately.
      if (calls.length > 1 && error.code === 'INDEXER_RPC_TOO_LARGE') turns.left()
      else {
        problem = error as IndexerError
        turns.failed(problem)
        // Failures count even if other requests succeed meanwhile.
        if (isRepeated(error))
          log.warn({ ...labels, code: error.code }, `a node keeps failing: ${error.message}`)
      }
      throw error
    }
  }
  const ask = async (
    calls: readonly Call[],
    signal: AbortSignal,
    wait?: Wait,
  ): Promise<readonly Answer[]> => {
    const all = new Array<Answer>(calls.length)
    let open = calls.map((_call, i) => i)
    while (open.length > 0) {
      const next = open.slice(0, size.current())
      const places = next.slice(
        0,
        patience.fitting(
          next.map((i) => calls[i] as Call),
          wait,
        ),
      )
      const rest = open.slice(places.length)
      try {
        const { answers } = await request(
          places.map((i) => calls[i] as Call),
          signal,
          wait,
        )
        const again = places.length === 1 ? [] : places.filter((_i, k) => isTooLarge(answers[k]))
        places.forEach((i, k) => {
          const answer = answers[k] as Answer
          all[i] = again.includes(i) ? answer : orTooSlow(calls[i] as Call, answer, wait)
        })
        if (again.length === 0) size.accepted(places.length)
        else size.refused(places.length)
        open = [...again, ...rest]
      } catch (error) {
        if (!isFirnError(error) || !NARROWING.includes(error.code)) throw error
        const [only] = places
        const isTrace = places.length === 1 && patience.isPatient(calls[only ?? 0])
        if (isTrace && error.code === 'INDEXER_RPC_TIMEOUT') {
          // The other calls would come too late as well, but the answers so far are kept.
          for (const i of open) all[i] = { error: error as IndexerError }
          if (only !== undefined && patience.isGivenUp(calls[only] as Call))
            all[only] = { error: untraced(name, error.message) }
          return all
        }
        if (isTrace && error.code === 'INDEXER_RPC_TOO_LARGE' && only !== undefined) {
          all[only] = { error: tooSlow(calls[only] as Call, error as IndexerError, wait) }
          open = rest
          continue
        }
        if (places.length === 1 && only !== undefined) {
          // Some nodes refuse a single call with an HTTP status.
          if (error.code !== 'INDEXER_RPC_REFUSED') throw error
          all[only] = { error: error as IndexerError }
          open = rest
          continue
        }
        size.refused(places.length)
        if (error.code === 'INDEXER_RPC_TIMEOUT') throw error
      }
    }
    return all
  }
  /**
   * Returns the error for traces that are too large, or that take longer than the node's own time limit. Like a late
   * answer, this is final only after the longest time, because it may pass, and so that a node that refuses everything for
   * a while does not make the chain lack all traces.
   */
  const tooSlow = (call: Call, error: IndexerError, wait: Wait | undefined): IndexerError => {
    patience.late([call], wait)
    if (patience.isGivenUp(call)) return untraced(name, error.message)
    return new IndexerError('INDEXER_RPC_TIMEOUT', error.message, { details: error.details, cause: error })
  }
  const orTooSlow = (call: Call, answer: Answer, wait: Wait | undefined): Answer => {
    const { error } = answer
    if (error === undefined || !patience.isPatient(call)) return answer
    const isLate = isTimeout(String(error.details['rpcMessage'] ?? ''))
    return isTooLarge(answer) || isLate ? { error: tooSlow(call, error, wait) } : answer
  }
  const find = async (signal: AbortSignal): Promise<Abilities> => {
    log.info(labels, `connecting to ${name}`)
    const abilities = await probe((calls) => ask(calls, signal), options.firstHeight, name)
    if (abilities.chainId !== options.chainId)
      throw putAside(wrongChain(name, options.chainId, abilities.chainId))
    const { receiptsBy, tracesBy, tracesOld } = abilities
    log.debug({ ...labels, receiptsBy, tracesBy, tracesOld }, 'detected node capabilities')
    return abilities
  }
  const putAside = (error: IndexerError): IndexerError => {
    note(error)
    if (foreign?.message !== error.message) log.warn({ ...labels, code: error.code }, error.message)
    foreign = error
    return error
  }
  const check = async (signal: AbortSignal): Promise<void> => {
    try {
      await options.assertSameChain?.((calls) => ask(calls, signal), name)
      foreign = undefined
    } catch (error) {
      throw isForeign(error) ? putAside(error) : error
    }
  }
  /** Logs why the capabilities or the chain of the node cannot be read, unless it is logged elsewhere. */
  const unused = (error: IndexerError): IndexerError => {
    const isKnown = FOREIGN.includes(error.code) || error === problem || unusable?.message === error.message
    if (!isKnown) log.warn({ ...labels, code: error.code }, `a node cannot be used: ${error.message}`)
    return error
  }
  const found = createShared(find)
  const checked = createShared(check)
  const abilities = async (signal: AbortSignal): Promise<Abilities> => {
    if (foundGeneration !== generation) {
      foundGeneration = generation
      found.forget()
      checked.forget()
    }
    try {
      const result = await found.get(signal)
      await checked.get(signal)
      unusable = undefined
      return result
    } catch (error) {
      if (!signal.aborted && isFirnError(error)) unusable = unused(error as IndexerError)
      throw error
    }
  }
  return {
    name,
    abilities,
    recheck() {
      checked.forget()
    },
    ask,
    async blocks(requests, { withTraces, wait, logs }, signal) {
      if (logs !== undefined) {
        await abilities(signal)
        const needs = { selection: logs.selection, lastFinal: logs.lastFinal(), range, name }
        return assembleLogs((calls) => ask(calls, signal), requests, needs)
      }
      const needs = { abilities: await abilities(signal), withTraces, name }
      return assemble((calls) => ask(calls, signal, wait), requests, needs)
    },
    subscribe: rpc.subscribe,
    batchCalls: () => size.current(),
    failures: turns.failures,
    waitMs: turns.waitMs,
    problem: () => foreign ?? unusable ?? problem,
    refuse(error) {
      note(error)
      if (!isLie(error)) return
      log.warn({ ...labels, code: error.code }, `a node returned wrong or incomplete data: ${error.message}`)
      trust.lied(error.message)
    },
    report(height) {
      newest = height
    },
    reported: () => newest,
    isTrusted: trust.isTrusted,
    warning: trust.warning,
    close: () => rpc.close(),
  }
}

const FOREIGN = ['INDEXER_CHAIN', 'INDEXER_RESET', 'INDEXER_REORGANISATION']

/** Returns whether an error means that a node has a different chain than the stored one. */
export function isForeign(error: unknown): error is IndexerError {
  return isFirnError(error) && FOREIGN.includes(error.code)
}

const LIES = ['EVM_MALFORMED', 'EVM_INCOHERENT', 'INDEXER_BLOCK']

/**
 * Returns whether an error means that a node's data contradicts itself, its neighbours or the chain. Missing, late and
 * refused answers are no lies.
 */
export function isLie({ code }: { readonly code: string }): boolean {
  return LIES.includes(code)
}

function stillRunning(name: string, ms: number): IndexerError {
  const seconds = Math.ceil(ms / 1000)
  const message = `${name} did not return traces in time, and may still work on them; they are requested again in ${seconds} s`
  return new IndexerError('INDEXER_RPC_TIMEOUT', message, { details: { upstream: name } })
}

function isTooLarge(answer: Answer | undefined): boolean {
  return answer?.error?.code === 'INDEXER_RPC_TOO_LARGE'
}

function wrongChain(name: string, expected: bigint, actual: bigint): IndexerError {
  return new IndexerError('INDEXER_CHAIN', `${name} serves chain ${actual}, expected chain ${expected}`, {
    details: { upstream: name, expected: `${expected}`, actual: `${actual}` },
  })
}
