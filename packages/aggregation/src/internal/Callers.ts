import { AggregationError } from '../AggregationError.ts'
import type { AggregationResult } from '../AggregationResult.ts'
import type { Progress } from '../Progress.ts'

/** One caller of a run. Several callers share a run when their requests are equal. */
export interface Caller {
  /** Time of the request, in milliseconds as returned by the aggregator's `clock.now()`. */
  readonly joinedAt: number
  /** Milliseconds after which the caller stops waiting. */
  readonly deadlineMs: number
  /** Milliseconds for which the caller waits for validators that answered "not yet"; undefined for the default. */
  readonly waitMs?: number | undefined
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: Progress) => void
  readonly onWaiting?: () => void
}

/** Returns the time at which the caller stops waiting. */
export function deadlineOf({ joinedAt, deadlineMs }: Caller): number {
  return joinedAt + deadlineMs
}

/** Returns the time until which the caller waits for validators that answered "not yet". */
export function retryUntilOf({ joinedAt, deadlineMs, waitMs }: Caller, defaultMs: number): number {
  return joinedAt + Math.min(deadlineMs, waitMs ?? defaultMs)
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
  /** Returns the latest {@link retryUntilOf} of all callers. */
  latestRetry(defaultMs: number): number
  some(isDone: (caller: Caller) => boolean): boolean
  /** Settles the callers for which `isDone` returns true. */
  settle(isDone: (caller: Caller) => boolean, outcome: AggregationResult | Error): void
  notify(progress: () => Progress): void
  /** Calls every caller's `onWaiting`. */
  notifyWaiting(): void
}

interface Waiting extends Caller {
  settle(outcome: AggregationResult | Error): void
}

/** Returns an empty list. `onEmpty` is called when the last caller is settled, for whatever reason. */
export function create(onEmpty: () => void): Callers {
  const waiting = new Set<Waiting>()
  const deadlines = () => [...waiting].map(deadlineOf)
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
    latestRetry: (defaultMs) => Math.max(...[...waiting].map((caller) => retryUntilOf(caller, defaultMs))),
    some: (isDone) => [...waiting].some(isDone),
    settle(isDone, outcome) {
      for (const caller of [...waiting]) if (isDone(caller)) caller.settle(outcome)
    },
    notifyWaiting() {
      for (const { onWaiting } of [...waiting]) onWaiting?.()
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
