import type { Clock } from '../Clock.ts'
import type { Metrics, Stage } from '../Metrics.ts'

/** Tells apart what the time of one thread goes into. */
export interface Stopwatch {
  /** Counts work that keeps the thread busy. */
  during<T>(stage: Stage, work: () => T): T
  /** Counts what is waited for, without the busy work that is done meanwhile. */
  across<T>(stage: Stage, work: () => Promise<T>): Promise<T>
}

/** Returns a stopwatch that counts into `stage_seconds_total`. */
export function createStopwatch(clock: Clock, { seconds }: Pick<Metrics, 'seconds'>): Stopwatch {
  let busy = 0
  return {
    during(stage, work) {
      const since = clock.now()
      try {
        return work()
      } finally {
        const ms = Math.max(clock.now() - since, 0)
        busy += ms
        seconds.inc({ stage }, ms / 1000)
      }
    },
    async across(stage, work) {
      const [since, busyBefore] = [clock.now(), busy]
      try {
        return await work()
      } finally {
        const ms = clock.now() - since - (busy - busyBefore)
        seconds.inc({ stage }, Math.max(ms, 0) / 1000)
      }
    },
  }
}
