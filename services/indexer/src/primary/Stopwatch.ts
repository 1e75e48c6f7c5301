import type { Clock } from '@firn/runtime'
import type { Metrics, Stage } from './Metrics.ts'

/** Attributes the time of one thread to stages. */
export interface Stopwatch {
  /** Measures the duration of synchronous work, which keeps the thread busy. */
  during<T>(stage: Stage, work: () => T): T
  /**
   * Measures the duration of a write, excluding busy work in the meantime. Only one write may run at a time.
   */
  writing<T>(work: () => Promise<T>): Promise<T>
  /** Measures a wait, excluding the time in which busy work or a write takes place. */
  waiting<T>(stage: Stage, work: () => Promise<T>): Promise<T>
}

/** Creates a stopwatch that adds the measured times to the metric `firn_indexer_stage_seconds_total`. */
export function createStopwatch(clock: Clock, { seconds }: Pick<Metrics, 'seconds'>): Stopwatch {
  let [busy, busyBetween, written] = [0, 0, 0]
  let writeSince: number | undefined
  const count = (stage: Stage, ms: number) => seconds.inc({ stage }, Math.max(ms, 0) / 1000)
  const otherTime = () => busyBetween + written + (writeSince === undefined ? 0 : clock.now() - writeSince)
  return {
    during(stage, work) {
      const since = clock.now()
      try {
        return work()
      } finally {
        const ms = clock.now() - since
        busy += ms
        if (writeSince === undefined) busyBetween += ms
        count(stage, ms)
      }
    },
    async writing(work) {
      const [since, busyBefore] = [clock.now(), busy]
      writeSince = since
      try {
        return await work()
      } finally {
        const ms = clock.now() - since
        writeSince = undefined
        written += ms
        count('write', ms - (busy - busyBefore))
      }
    },
    async waiting(stage, work) {
      const [since, before] = [clock.now(), otherTime()]
      try {
        return await work()
      } finally {
        count(stage, clock.now() - since - (otherTime() - before))
      }
    },
  }
}
