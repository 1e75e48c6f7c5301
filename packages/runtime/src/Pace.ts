import type { Clock } from './Clock.ts'

/** Divides work over turns of the event loop; created by {@link createPace}. */
export interface Pace {
  /**
   * Returns undefined if `amount` of work may be done now. Otherwise returns a promise of a later turn of the event loop
   * in which it may be done. Callers that wait get their turns in order.
   */
  take(amount: number): Promise<void> | undefined
}

/**
 * Returns a pace of about `perTurn` units of work in each turn of the event loop.
 *
 * @example
 * ```ts
 * import { createPace, systemClock } from '@firn/runtime'
 *
 * const pace = createPace(systemClock, 8)
 * for (const request of ['a', 'b', 'c']) {
 *   await pace.take(1)
 *   console.log(request)
 * }
 * ```
 */
export function createPace(clock: Clock, perTurn: number): Pace {
  const waiting: { readonly amount: number; readonly go: () => void }[] = []
  let left = perTurn
  let isScheduled = false
  const schedule = () => {
    if (isScheduled) return
    isScheduled = true
    void clock.sleep(0).then(() => {
      isScheduled = false
      left = perTurn
      for (let next = waiting[0]; next !== undefined && left > 0; next = waiting[0]) {
        waiting.shift()
        left -= next.amount
        next.go()
      }
      if (left < perTurn) schedule()
    })
  }
  return {
    take(amount) {
      schedule()
      if (waiting.length === 0 && left > 0) {
        left -= amount
        return undefined
      }
      return new Promise((go) => waiting.push({ amount, go }))
    },
  }
}
