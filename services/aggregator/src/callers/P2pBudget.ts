import { IpAddress, RateLimiter, Refusals } from '@firn/http'
import type { Clock } from '@firn/runtime'
import { AggregatorError } from '../errors/AggregatorError.ts'

/**
 * Limits the requests to validators that each caller causes. A caller's budget refills continuously and is charged for
 * each request when it is sent. It can become negative, because the number of requests is known only then; the caller
 * must wait until it is positive again.
 */
export interface P2pBudget {
  /**
   * Throws if the caller has used up its budget. `caller` is the first of its limit keys, which jobs store.
   * @throws AggregatorError `AGGREGATOR_RATE_LIMIT`, with the headers of the response in `details.headers`
   */
  assertLeft(caller: string): void
  /** Charges the caller for one request to a validator. */
  charge(caller: string): void
}

const MINUTE_SECONDS = 60

/** Creates budgets of `perMinute` requests a minute for each caller; 0 means no limit. */
export function createP2pBudget(perMinute: number, clock: Pick<Clock, 'now'>): P2pBudget {
  const limiter = RateLimiter.create({ now: () => clock.now() })
  const rate = { perSecond: perMinute / MINUTE_SECONDS, burst: perMinute, debt: Number.POSITIVE_INFINITY }
  return {
    assertLeft: (caller) => {
      if (perMinute === 0) return
      // One whole request must be left, so that a caller that waits for `retry-after` is not rejected again.
      const waitMs = limiter.wait(keysOf(caller), 1, rate)
      if (waitMs === 0) return
      Refusals.publish({ service: 'aggregator', caller, limit: 'requests to validators' })
      throw exhausted(perMinute, Math.ceil(waitMs / 1_000))
    },
    charge: (caller) => {
      if (perMinute > 0) limiter.charge(keysOf(caller), 1, rate)
    },
  }
}

/** Returns the keys of a caller by the first of them, which names a key, an IPv4 address or an IPv6 /64. */
function keysOf(caller: string): IpAddress.LimitKeys {
  const address = IpAddress.parse(caller.replace(/\/64$/, ''))
  return address === undefined ? RateLimiter.named(caller) : IpAddress.toLimitKeys(address)
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
