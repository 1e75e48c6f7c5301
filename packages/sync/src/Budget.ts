import type { Clock } from '@firn/runtime'

/** Limits the rate of small requests; created by {@link createBudget}. Share one between all chains. */
export interface Budget {
  /** Resolves when a request may be sent. Callers are served in order. Rejects with the signal's reason. */
  take(signal: AbortSignal): Promise<void>
}

/** Length of the window in milliseconds. */
const WINDOW_MS = 1_000

/**
 * Returns a budget of at most `perSecond` requests in any second.
 *
 * @example
 * ```ts
 * import { systemClock } from '@firn/runtime'
 * import { createBudget } from '@firn/sync'
 *
 * const budget = createBudget(systemClock, 120)
 * await budget.take(AbortSignal.timeout(1_000))
 * ```
 */
export function createBudget(clock: Clock, perSecond: number): Budget {
  /** Times at which the last `perSecond` requests were allowed, the oldest at `next`. */
  const times = new Float64Array(perSecond).fill(Number.NEGATIVE_INFINITY)
  let next = 0
  let tail: Promise<void> = Promise.resolve()
  const turn = async (signal: AbortSignal) => {
    signal.throwIfAborted()
    const waitMs = (times[next] as number) + WINDOW_MS - clock.now()
    if (waitMs > 0) await clock.sleep(waitMs, signal)
    times[next] = clock.now()
    next = (next + 1) % perSecond
  }
  return {
    take(signal) {
      const result = tail.then(() => turn(signal))
      tail = result.catch(() => undefined)
      return result
    },
  }
}
