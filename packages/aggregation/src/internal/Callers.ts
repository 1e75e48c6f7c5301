import { AggregationError } from '../AggregationError.ts'
import type { AggregationResult } from '../AggregationResult.ts'
import type { Progress } from '../Progress.ts'

/** One caller of a run. Several callers share a run when their requests are equal. */
export interface Caller {
  /** Time at which the caller stops waiting, in milliseconds as returned by the aggregator's `clock.now()`. */
  readonly deadline: number
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: Progress) => void
}

/** The callers of one run. Each is settled once. Created by {@link create}. */
export interface Callers {
  /** Adds a caller and returns the promise of that caller's result. */
  add(caller: Caller): Promise<AggregationResult>
  readonly size: number
  /** The latest deadline of all callers; the run may continue until then. */
  readonly latest: number
  /** The earliest deadline of all callers, or Infinity if there are none. */
  readonly earliest: number
  /** Settles the callers whose deadline is at or before `until`. */
  settle(until: number, outcome: AggregationResult | Error): void
  notify(progress: () => Progress): void
}

interface Waiting extends Caller {
  settle(outcome: AggregationResult | Error): void
}

/** Returns an empty list. `onEmpty` is called when the last caller is settled, for whatever reason. */
export function create(onEmpty: () => void): Callers {
  const waiting = new Set<Waiting>()
  const deadlines = () => [...waiting].map(({ deadline }) => deadline)
  return {
    add: (caller) => add(waiting, caller, onEmpty),
    get size() {
      return waiting.size
    },
    get latest() {
      return Math.max(...deadlines())
    },
    get earliest() {
      return Math.min(...deadlines())
    },
    settle(until, outcome) {
      for (const caller of [...waiting]) if (caller.deadline <= until) caller.settle(outcome)
    },
    notify(progress) {
      for (const caller of [...waiting]) {
        try {
          caller.onProgress?.(progress())
        } catch (error) {
          caller.settle(
            new AggregationError('AGGREGATION_ABORTED', "the caller's onProgress callback threw an error", {
              cause: error,
            }),
          )
        }
      }
    },
  }
}

function add(waiting: Set<Waiting>, caller: Caller, onEmpty: () => void): Promise<AggregationResult> {
  return new Promise((resolve, reject) => {
    const { signal } = caller
    const settle = (outcome: AggregationResult | Error) => {
      if (!waiting.delete(entry)) return
      signal?.removeEventListener('abort', onAbort)
      if (outcome instanceof Error) reject(outcome)
      else resolve(outcome)
      if (waiting.size === 0) onEmpty()
    }
    const onAbort = () => settle(aborted(signal?.reason))
    const entry: Waiting = { ...caller, settle }
    waiting.add(entry)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}

/** Returns the error for a caller whose signal aborted. */
export function aborted(reason: unknown): AggregationError {
  return new AggregationError(
    'AGGREGATION_ABORTED',
    'the caller aborted the request before enough signatures were collected',
    {
      cause: reason,
    },
  )
}
