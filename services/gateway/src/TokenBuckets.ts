import { LRUCache } from 'lru-cache'

/** A rate limit. */
export interface Rate {
  /** Number of credits restored per second. */
  readonly perSecond: number
  /** Maximum number of credits that can be spent at once. */
  readonly burst: number
}

/** Rate limits by name. Each is implemented as a token bucket. */
export interface TokenBuckets {
  /**
   * Charges credits and returns 0. If not enough credits are available, returns the milliseconds until they
   * are. A full bucket may be overdrawn.
   */
  take(name: string, credits: number, rate: Rate): number
  /** Returns whether less than half of the burst is available. Does not create a bucket. */
  lacks(name: string, rate: Rate): boolean
  /** Returns the available credits. They are negative if the bucket is overdrawn. */
  left(name: string, rate: Rate): number
  /** Charges credits even if not enough are available. The balance does not fall below the negative burst. */
  charge(name: string, credits: number, rate: Rate): void
}

/** Tolerance for rounding errors of fractional credits. */
const ROUNDING = 1e-6

interface Bucket {
  credits: number
  /** Time at which `credits` was computed, in milliseconds as returned by `now`. */
  at: number
}

/**
 * Creates token buckets for a limited number of recently used names. A name that was forgotten starts again
 * with a full bucket.
 */
export function createTokenBuckets(most: number, now: () => number): TokenBuckets {
  const buckets = new LRUCache<string, Bucket>({ max: most })
  const find = (name: string, { perSecond, burst }: Rate): Bucket => {
    const time = now()
    const bucket = buckets.get(name) ?? { credits: burst, at: time }
    bucket.credits = Math.min(burst, bucket.credits + (Math.max(0, time - bucket.at) / 1000) * perSecond)
    bucket.at = time
    buckets.set(name, bucket)
    return bucket
  }
  return {
    take(name, credits, rate) {
      const bucket = find(name, rate)
      const needed = Math.min(credits, rate.burst)
      if (bucket.credits + ROUNDING < needed)
        return Math.ceil(((needed - bucket.credits) / rate.perSecond) * 1000)
      bucket.credits -= credits
      return 0
    },
    lacks: (name, rate) => buckets.has(name) && find(name, rate).credits < rate.burst / 2,
    left: (name, rate) => (buckets.has(name) ? find(name, rate).credits : rate.burst),
    charge(name, credits, rate) {
      const bucket = find(name, rate)
      bucket.credits = Math.max(-rate.burst, bucket.credits - credits)
    },
  }
}
