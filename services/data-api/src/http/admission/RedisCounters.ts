import { Redis } from 'ioredis'
import { DataApiError } from '../endpoint/DataApiError.ts'
import { type Counters, DAY_MS, MINUTE_MS } from './RateLimit.ts'

/** Rate-limit counters in Redis. They own the connection to Redis. */
export interface RedisCounters extends Counters {
  close(): void
}

/** Options of {@link connectRedisCounters}. */
export interface RedisCountersOptions {
  readonly url: string
  /** Returns the current time in milliseconds since 1970. */
  readonly now: () => number
  /** Logger for lost and restored connections to Redis. */
  readonly log?: RedisLog | undefined
}

/** The methods of a pino logger that the counters use. */
export interface RedisLog {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
}

/** Timeout for connecting to Redis, and for each command, in milliseconds. */
const PATIENCE_MS = 1_000

/**
 * Connects to Redis and returns counters that several processes share. Resolves after the first connection
 * attempt, even if this attempt fails. While Redis is unreachable, the counters throw `DATA_UNAVAILABLE`.
 * They recover as soon as Redis is available again.
 */
export async function connectRedisCounters({ url, now, log }: RedisCountersOptions): Promise<RedisCounters> {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: PATIENCE_MS,
    commandTimeout: PATIENCE_MS,
  })
  watch(redis, log)
  await new Promise<void>((resolve) => {
    redis.once('ready', () => resolve())
    redis.once('close', () => resolve())
  })
  return { ...createRedisCounters(redis, now), close: () => redis.disconnect() }
}

/** Logs each lost and each restored connection once, regardless of the number of retries. */
function watch(redis: Redis, log: RedisLog | undefined): void {
  let isLost = false
  // Without an error listener, the client prints every failed attempt to standard error.
  redis.on('error', (error: Error) => {
    if (!isLost) log?.warn({ reason: error.message }, 'rate limiter disconnected from Redis')
    isLost = true
  })
  redis.on('ready', () => {
    if (isLost) log?.info({}, 'rate limiter reconnected to Redis')
    isLost = false
  })
}

/**
 * Creates rate-limit counters that several processes share through Redis. Both windows are updated in one
 * round trip, and each key expires after its window.
 * @throws DataApiError `DATA_UNAVAILABLE` if Redis does not respond, because uncounted requests must not be
 * allowed
 */
export function createRedisCounters(redis: Redis, now: () => number, prefix = 'firn:limit:'): Counters {
  return {
    check: async () => {
      await redis.ping().catch((cause: unknown) => {
        throw unavailable(cause)
      })
    },
    add: async (caller, units) => {
      const time = now()
      const windows = [MINUTE_MS, DAY_MS].map((ms) => ({ ms, index: Math.floor(time / ms) }))
      const pipeline = redis.multi()
      for (const { ms, index } of windows) {
        const key = `${prefix}${ms}:${index}:${caller}`
        pipeline.incrby(key, units).pexpire(key, ms * 2)
      }
      const answers = await pipeline.exec().catch((cause: unknown) => {
        throw unavailable(cause)
      })
      const [minute, day] = windows.map(({ ms, index }, i) => ({
        used: Number(answers?.[i * 2]?.[1]),
        resetMs: (index + 1) * ms - time,
      }))
      if (minute === undefined || day === undefined || Number.isNaN(minute.used + day.used)) {
        throw unavailable(undefined)
      }
      return { minute, day }
    },
  }
}

function unavailable(cause: unknown): DataApiError {
  return new DataApiError(
    'DATA_UNAVAILABLE',
    'the rate limiter is unreachable (no connection to Redis); try again later',
    {
      cause,
    },
  )
}
