import { RateLimiter } from '@firn/http'
import type * as HttpRules from '../HttpRules.ts'

/** Returns the response to a caller that has used up its units. */
export function limitRefusal(waitMs: number): HttpRules.Refusal {
  const seconds = RateLimiter.retryAfter(waitMs)
  return {
    status: 429,
    body: `too many requests; try again in ${seconds} s\n`,
    headers: ['Retry-After', seconds],
  }
}
