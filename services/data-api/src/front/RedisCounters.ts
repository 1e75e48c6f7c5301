import { Redis } from 'ioredis'
import { DataApiError } from '../DataApiError.ts'
import { type Counters, DAY_MS, MINUTE_MS } from './RateLimit.ts'

/** Counters in Redis, and the connection that they own. */
export interface RedisCounters extends Counters {
  close(): void
}

/** Options of {@link connectRedisCounters}. */
export interface RedisCountersOptions {
  readonly url: string
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Receives the loss and the return of Redis. */
  readonly log?: RedisLog | undefined
}

/** A log such as pino's. */
export interface RedisLog {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
}

/** Time-out for connecting to Redis, and for a response. */
const PATIENCE_MS = 1_000

/**
 * Connects to Redis and returns counters that several processes share. Resolves after the first attempt to
 * connect, successful or not: while Redis is unreachable the counters fail with `DATA_UNAVAILABLE`, and they
 * recover as soon as it is back.
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

/** Logs each loss and each return once, however often the client retries in between. */
function watch(redis: Redis, log: RedisLog | undefined): void {
  let isLost = false
  // Without a listener the client prints every failed attempt on standard error.
  redis.on('error', (error: Error) => {
    if (!isLost) log?.warn({ reason: error.message }, 'rate limiter lost Redis')
    isLost = true
  })
  redis.on('ready', () => {
    if (isLost) log?.info({}, 'rate limiter reconnected to Redis')
    isLost = false
  })
}

/**
 * Returns counters over a Redis client, which several processes share. Both windows are counted in one round
 * trip; a key expires with its window.
 * @throws DataApiError `DATA_UNAVAILABLE` when Redis does not answer: a limit that cannot be counted is not
 * skipped
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
  return new DataApiError('DATA_UNAVAILABLE', 'the rate limiter is unreachable (Redis); try again later', {
    cause,
  })
}
