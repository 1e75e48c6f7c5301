import type { Call } from './JsonRpc.ts'

/**
 * How long requests for traces are waited for. `growing` is for blocks without which the chain waits: the limit grows
 * after each request that came too late. `first` is for such blocks while the chain has others whose traces are missing:
 * only the first limit, so that a series of slow blocks does not stop it. `longest` is for traces that are filled in
 * later.
 */
export type Wait = 'growing' | 'first' | 'longest'

/**
 * How long one node may take for a request. Requests for traces get more time after each that came too late: 15 seconds,
 * then a minute, then four. The node may still work on a request that was given up, so the same traces are not requested
 * again before the longer time would have passed.
 */
export interface Patience {
  /** Returns whether the node gets more time for a call after it came too late. */
  isPatient(call: Call | undefined): boolean
  /** Returns the time limit of a request in milliseconds; undefined for the usual one. */
  limitMs(calls: readonly Call[], wait?: Wait): number | undefined
  /** Returns how many of the calls to send in one request, which is at least 1. */
  fitting(calls: readonly Call[], wait?: Wait): number
  /** Returns for how many milliseconds a request that was given up may still run at the node; 0 if none is known. */
  runningMs(calls: readonly Call[]): number
  /** Returns whether a call for the traces of one block came too late with the last time limit. */
  isGivenUp(call: Call): boolean
  /** Records that a request came too late, for which {@link limitMs} had been waited. */
  late(calls: readonly Call[], wait?: Wait): void
  /** Records that a request was answered within some milliseconds. */
  answered(calls: readonly Call[], ms: number): void
}

/** Options of {@link createPatience}. */
export interface PatienceOptions {
  readonly now: () => number
  /** Time limit of other requests, and the first one of requests for traces, in milliseconds. */
  readonly firstMs: number
  /** Maximum time limit in milliseconds. */
  readonly mostMs: number
}

const FACTOR = 4
/** Number of quick answers in a row after which the time limit shrinks again. */
const QUICK = 64
/** Maximum number of requests that are remembered because they may still run. */
const MOST_RUNNING = 1_024

/** Creates the time limits of one node. */
export function createPatience({ now, firstMs, mostMs }: PatienceOptions): Patience {
  let limit = Math.min(firstMs, mostMs)
  /** Whether each request has the traces of one block, since a larger one came too late. */
  let isSingle = false
  let quick = 0
  /** Until when requests for traces that were given up may still run, by call, and whether they had the last limit. */
  const running = new Map<string, { readonly until: number; readonly isLast: boolean }>()
  const limitOf = (wait: Wait) =>
    wait === 'longest' ? mostMs : wait === 'first' ? Math.min(limit, firstMs) : limit
  return {
    isPatient: (call) => call !== undefined && isTrace(call),
    limitMs: (calls, wait = 'growing') => (calls.some(isTrace) ? limitOf(wait) : undefined),
    fitting(calls, wait = 'growing') {
      const first = calls.findIndex(isTrace)
      if ((!isSingle && wait !== 'longest') || first < 0) return calls.length
      return Math.max(first, 1)
    },
    runningMs: (calls) =>
      calls
        .filter(isTrace)
        .reduce((most, call) => Math.max(most, (running.get(keyOf(call))?.until ?? 0) - now()), 0),
    isGivenUp: (call) => running.get(keyOf(call))?.isLast === true,
    late(calls, wait = 'growing') {
      const traces = calls.filter(isTrace)
      if (traces.length === 0) return
      const waited = limitOf(wait)
      const next = Math.min(waited * FACTOR, Math.max(mostMs, waited))
      const isLast = traces.length === 1 && (wait !== 'growing' || waited >= mostMs)
      const until = now() + (isLast ? mostMs : Math.max(next - waited, waited))
      for (const call of traces) running.set(keyOf(call), { until, isLast })
      for (const key of running.keys()) {
        if (running.size <= MOST_RUNNING) break
        running.delete(key)
      }
      isSingle = true
      quick = 0
      if (wait === 'growing') limit = next
    },
    answered(calls, ms) {
      const traces = calls.filter(isTrace)
      if (traces.length === 0) return
      for (const call of traces) running.delete(keyOf(call))
      quick = ms * FACTOR < limit ? quick + 1 : 0
      if (quick < QUICK) return
      quick = 0
      if (limit <= firstMs) isSingle = false
      limit = Math.max(Math.floor(limit / FACTOR), Math.min(firstMs, mostMs))
    },
  }
}

function isTrace({ method }: Call): boolean {
  return method.includes('trace_') || method.startsWith('debug_trace')
}

function keyOf({ method, params }: Call): string {
  return JSON.stringify([method, params])
}
