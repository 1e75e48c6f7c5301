import { type Clock, systemClock } from '../Clock.ts'

/**
 * Returns a clock with real timers, whose time advances only when a sleeper wakes, by as much as it wanted to sleep. On a
 * busy machine, time then passes more slowly, so that nothing is late only because the machine is.
 *
 * @example
 * ```ts
 * import { createTimerClock } from '@firn/runtime/testing'
 *
 * const clock = createTimerClock()
 * await clock.sleep(20)
 * console.log(clock.now()) // 20, however long it took
 * ```
 */
export function createTimerClock(start = 0): Clock {
  let now = start
  return {
    now: () => now,
    async sleep(ms, signal) {
      const end = now + ms
      await systemClock.sleep(ms, signal)
      now = Math.max(now, end)
    },
  }
}
