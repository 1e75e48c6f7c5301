import type { LimitKeys } from './IpAddress.ts'

/** A rate limit, implemented as a token bucket. A unit is whatever the server charges: a credit, or a request. */
export interface Rate {
  /** Number of units restored per second. */
  readonly perSecond: number
  /** Maximum number of units that can be spent at once. */
  readonly burst: number
  /** How far {@link RateLimiter.charge} may overdraw a caller, in units; by default as far as `burst`. */
  readonly debt?: number
}

/**
 * Limits callers by the keys of their address (`IpAddress.toLimitKeys`), or by the key of their name ({@link named}). The
 * factor of a key multiplies its rate. The balances of the keys that were seen most recently are in memory. Times are in
 * milliseconds.
 *
 * A server takes a least cost before it reads a body, and the size of the body in units before it parses it
 * ({@link bodyUnits}). Costs that are known only later, such as the number of calls in a batch, are taken before the work
 * starts. Work that can no longer be refused, such as messages of a subscription, is charged.
 */
export interface RateLimiter {
  /**
   * Takes units and returns 0. If not enough are available, takes nothing and returns the time until they are. A full
   * bucket may be overdrawn, so that a request that costs more than the burst is possible at all.
   */
  take(keys: LimitKeys, units: number, rate: Rate): number
  /** Returns the time until units can be taken, without taking them; 0 means now. */
  wait(keys: LimitKeys, units: number, rate: Rate): number
  /** Takes units even if not enough are available. */
  charge(keys: LimitKeys, units: number, rate: Rate): void
  /** Returns the available units. They are negative if the caller is overdrawn. */
  left(keys: LimitKeys, rate: Rate): number
}

/** Options of {@link create}. */
export interface RateLimiterOptions {
  /** Maximum number of keys in memory, 65,536 by default. A forgotten key starts again with a full bucket. */
  readonly keys?: number
  /** Returns the current time in milliseconds since any moment. */
  readonly now: () => number
}

const MAX_KEYS = 65_536
/** Tolerance for rounding errors of fractional units. */
const ROUNDING = 1e-6

interface Bucket {
  units: number
  /** Time at which `units` was computed. */
  at: number
}

/**
 * Creates a limiter whose callers have used nothing yet.
 * @example
 * ```ts
 * import { ClientAddress, IpAddress, RateLimiter } from '@firn/http'
 *
 * const limiter = RateLimiter.create({ now: Date.now })
 * const keys = IpAddress.toLimitKeys(IpAddress.parse('203.0.113.9'))
 * const waitMs = limiter.take(keys, 1, { perSecond: 100, burst: 1_000 })
 * if (waitMs > 0) console.log(`429, retry-after: ${RateLimiter.retryAfter(waitMs)}`)
 * ```
 */
export function create({ keys: most = MAX_KEYS, now }: RateLimiterOptions): RateLimiter {
  const buckets = new Map<string, Bucket>()
  const touch = (key: string, { perSecond, burst }: Rate): Bucket => {
    const time = now()
    const bucket = buckets.get(key) ?? { units: burst, at: time }
    bucket.units = Math.min(burst, bucket.units + (Math.max(0, time - bucket.at) / 1000) * perSecond)
    bucket.at = time
    // A map keeps the order of insertion, so its first key is the least recently used.
    buckets.delete(key)
    buckets.set(key, bucket)
    const [oldest] = buckets.size > most ? buckets.keys() : []
    if (oldest !== undefined) buckets.delete(oldest)
    return bucket
  }
  const wait: RateLimiter['wait'] = (keys, units, rate) =>
    Math.max(...parts(keys, rate).map(([key, own]) => waitOf(touch(key, own), units, own)))
  return {
    wait,
    take(keys, units, rate) {
      const waitMs = wait(keys, units, rate)
      if (waitMs === 0) for (const [key, own] of parts(keys, rate)) touch(key, own).units -= units
      return waitMs
    },
    charge(keys, units, rate) {
      for (const [key, own] of parts(keys, rate)) {
        const bucket = touch(key, own)
        bucket.units = Math.max(Math.min(bucket.units, -(own.debt ?? own.burst)), bucket.units - units)
      }
    },
    left: (keys, rate) =>
      Math.min(
        ...parts(keys, rate).map(([key, own]) => (buckets.has(key) ? touch(key, own).units : own.burst)),
      ),
  }
}

function waitOf({ units }: Bucket, wanted: number, { perSecond, burst }: Rate): number {
  const needed = Math.min(wanted, burst)
  return units + ROUNDING < needed ? Math.ceil(((needed - units) / perSecond) * 1000) : 0
}

/** Returns each key of a caller with its rate. */
function parts(keys: LimitKeys, rate: Rate): readonly (readonly [key: string, rate: Rate])[] {
  return keys.map(({ key, factor }) => [key, multiply(rate, factor)])
}

function multiply({ perSecond, burst, debt = burst }: Rate, factor: number): Rate {
  return { perSecond: perSecond * factor, burst: burst * factor, debt: debt * factor }
}

/**
 * Returns the keys of a caller that is known by name, such as the holder of an API key.
 * @example
 * ```ts
 * import { RateLimiter } from '@firn/http'
 *
 * RateLimiter.named('token of the explorer') // [{ key: 'token of the explorer', factor: 1 }]
 * ```
 */
export function named(key: string): LimitKeys {
  return [{ key, factor: 1 }]
}

/**
 * Returns the units of a request body: one for each `bytesPerUnit` bytes, rounded up. A server takes them before it
 * parses the body.
 * @example
 * ```ts
 * import { RateLimiter } from '@firn/http'
 *
 * RateLimiter.bodyUnits(1_048_576, 4_096) // 256
 * ```
 */
export function bodyUnits(bytes: number, bytesPerUnit: number): number {
  return Math.ceil(bytes / bytesPerUnit)
}

/**
 * Returns the value of the header `retry-after`: whole seconds, at least 1.
 * @example
 * ```ts
 * import { RateLimiter } from '@firn/http'
 *
 * RateLimiter.retryAfter(1_200) // '2'
 * ```
 */
export function retryAfter(waitMs: number): string {
  return String(Math.max(1, Math.ceil(waitMs / 1000)))
}

/**
 * Returns the `ratelimit-…` headers for a caller that has `left` units.
 * @example
 * ```ts
 * import { RateLimiter } from '@firn/http'
 *
 * RateLimiter.headers({ perSecond: 10, burst: 100 }, 40)
 * // { 'ratelimit-policy': '100;w=10', 'ratelimit-limit': '100', 'ratelimit-remaining': '40', 'ratelimit-reset': '6' }
 * ```
 */
export function headers({ perSecond, burst }: Rate, left: number): Readonly<Record<string, string>> {
  const whole = Math.floor(left)
  return {
    'ratelimit-policy': `${burst};w=${Math.ceil(burst / perSecond)}`,
    'ratelimit-limit': String(burst),
    'ratelimit-remaining': String(Math.max(0, whole)),
    'ratelimit-reset': String(Math.ceil((burst - whole) / perSecond)),
  }
}
