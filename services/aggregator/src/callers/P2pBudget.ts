import { Refusals } from '@firn/http'
import type { Clock } from '@firn/runtime'
import { AggregatorError } from '../AggregatorError.ts'

/**
 * Limits the requests to validators that each caller causes. A caller's budget refills continuously and is charged for
 * each request when it is sent. It can become negative, because the number of requests is known only then; the caller
 * must wait until it is positive again.
 */
export interface P2pBudget {
  /**
   * Throws if the caller has used up its budget.
   * @throws AggregatorError `AGGREGATOR_RATE_LIMIT`, with the headers of the response in `details.headers`
   */
  assertLeft(caller: string): void
  /** Charges the caller for one request to a validator. */
  charge(caller: string): void
}

interface Bucket {
  left: number
  /** Time at which `left` was computed, as returned by `clock.now()`. */
  at: number
}

const MINUTE_MS = 60_000
/** Maximum number of callers whose budgets are stored. The callers that were charged least recently are forgotten. */
const MAX_CALLERS = 10_000

/** Creates budgets of `perMinute` requests a minute for each caller; 0 means no limit. */
export function createP2pBudget(perMinute: number, clock: Pick<Clock, 'now'>): P2pBudget {
  const buckets = new Map<string, Bucket>()
  const perMs = perMinute / MINUTE_MS
  const find = (caller: string): Bucket => {
    const now = clock.now()
    const known = buckets.get(caller) ?? { left: perMinute, at: now }
    known.left = Math.min(perMinute, known.left + (now - known.at) * perMs)
    known.at = now
    return known
  }
  return {
    assertLeft: (caller) => {
      if (perMinute === 0 || !buckets.has(caller)) return
      const { left } = find(caller)
      // One whole request must be left, so that a caller that waits for `retry-after` is not rejected again.
      if (left >= 1) return
      Refusals.publish({ service: 'aggregator', caller, limit: 'requests to validators' })
      throw exhausted(perMinute, Math.ceil((1 - left) / perMs / 1_000))
    },
    charge: (caller) => {
      if (perMinute === 0) return
      const bucket = find(caller)
      bucket.left -= 1
      buckets.delete(caller)
      buckets.set(caller, bucket)
      const [oldest] = buckets.keys()
      if (buckets.size > MAX_CALLERS && oldest !== undefined) buckets.delete(oldest)
    },
  }
}

function exhausted(perMinute: number, seconds: number): AggregatorError {
  const headers = {
    'ratelimit-limit': String(perMinute),
    'ratelimit-remaining': '0',
    'ratelimit-reset': String(seconds),
    'retry-after': String(seconds),
  }
  return new AggregatorError(
    'AGGREGATOR_RATE_LIMIT',
    `your requests caused more than ${perMinute} requests to validators in a minute; try again in ${seconds} s`,
    { details: { headers } },
  )
}
