import { LRUCache } from 'lru-cache'

/** How fast somebody may go. */
export interface Rate {
  /** Credits that come back each second. */
  readonly perSecond: number
  /** Credits that may be taken at once. */
  readonly burst: number
}

/** Allowances by name. */
export interface TokenBuckets {
  /**
   * Takes credits and returns 0, or takes none and returns the milliseconds until there are enough. Who has a full allowance may
   * take more than that, and owes it.
   */
  take(name: string, credits: number, rate: Rate): number
  /** Whether less than half of the burst is left; nobody is remembered for having been asked about. */
  lacks(name: string, rate: Rate): boolean
  /** Returns the credits that are left, negative where some are owed. */
  left(name: string, rate: Rate): number
  /** Takes credits that are spent already, whether there are enough or not; the allowance doesn't fall below -burst. */
  charge(name: string, credits: number, rate: Rate): void
}

/** What fractions of credits may be off by. */
const ROUNDING = 1e-6

interface Bucket {
  credits: number
  /** Milliseconds. */
  at: number
}

/** The allowances of those who came last, of so many at the most: whoever is forgotten has a full one again. */
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
