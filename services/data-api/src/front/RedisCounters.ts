import type { Redis } from 'ioredis'
import { DataApiError } from '../DataApiError.ts'
import { type Counters, DAY_MS, MINUTE_MS } from './RateLimit.ts'

/**
 * Counters that several processes share. Both windows are counted in one round trip; a key goes away with its window.
 * @throws DataApiError `DATA_UNAVAILABLE` when Redis doesn't answer: a limit that can't be counted is not skipped
 */
export function createRedisCounters(redis: Redis, now: () => number, prefix = 'firn:limit:'): Counters {
  return {
    add: async (caller, units) => {
      const time = now()
      const windows = [MINUTE_MS, DAY_MS].map((ms) => ({ ms, index: Math.floor(time / ms) }))
      const pipeline = redis.multi()
      for (const { ms, index } of windows) {
        const key = `${prefix}${ms}:${index}:${caller}`
        pipeline.incrby(key, units).pexpire(key, ms * 2)
      }
      const answers = await pipeline.exec().catch((cause: unknown) => {
        throw new DataApiError('DATA_UNAVAILABLE', 'the rate limits can’t be counted now; try again later', {
          cause,
        })
      })
      const [minute, day] = windows.map(({ ms, index }, i) => ({
        used: Number(answers?.[i * 2]?.[1]),
        resetMs: (index + 1) * ms - time,
      }))
      if (minute === undefined || day === undefined || Number.isNaN(minute.used + day.used)) {
        throw new DataApiError('DATA_UNAVAILABLE', 'the rate limits can’t be counted now; try again later')
      }
      return { minute, day }
    },
  }
}
