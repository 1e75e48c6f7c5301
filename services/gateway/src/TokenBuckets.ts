import { LRUCache } from 'lru-cache'

/** A rate limit. */
export interface Rate {
  /** Credits that are restored per second. */
  readonly perSecond: number
  /** Credits that can be spent at once. */
  readonly burst: number
}

/** Token buckets by name. */
export interface TokenBuckets {
  /**
   * Spends credits and returns 0, or returns the milliseconds until there are enough. A full bucket may be
   * overdrawn.
   */
  take(name: string, credits: number, rate: Rate): number
  /** Returns whether less than half of the burst is left; does not create a bucket. */
  lacks(name: string, rate: Rate): boolean
  /** Returns the remaining credits, negative if overdrawn. */
  left(name: string, rate: Rate): number
  /**
   * Charges credits that are already spent, even if there are not enough; the balance does not fall below
   * -burst.
   */
  charge(name: string, credits: number, rate: Rate): void
}

/** Tolerance for fractions of credits. */
const ROUNDING = 1e-6

interface Bucket {
  credits: number
  /** Milliseconds. */
  at: number
}

/** Returns buckets for a bounded number of recent names: a forgotten one has a full bucket again. */
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
