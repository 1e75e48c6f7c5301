import { type IpAddress, RateLimiter, Refusals } from '@firn/http'
import type { Clock } from '@firn/runtime'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DEFAULT_RATE_LIMIT } from '../configuration/Options.ts'
import { AggregatorError } from '../errors/AggregatorError.ts'
import type { LimitKeysOf } from './Caller.ts'

/** Bytes of a body for which one unit of the rate limit pays. */
export const BYTES_PER_UNIT = 65_536

/** Limits the requests of each caller. A unit pays for one aggregation, and for {@link BYTES_PER_UNIT} of a body. */
export interface RequestLimit {
  /**
   * Takes units for a request, and adds the headers of the rate limit to its response.
   * @throws AggregatorError `AGGREGATOR_RATE_LIMIT`, in which case nothing is taken
   */
  take(request: FastifyRequest, reply: FastifyReply, units: number): void
  /**
   * Takes one unit for each message of a request but the first, which {@link take} has paid for.
   * @throws AggregatorError `AGGREGATOR_RATE_LIMIT`, in which case nothing is taken
   */
  takeMessages(request: FastifyRequest, reply: FastifyReply, messages: number): void
}

/** Options of {@link createRequestLimit}. */
export interface RequestLimitOptions {
  /** Units per minute, all of which can be used at once; 0 means no limit. */
  readonly perMinute: number | undefined
  readonly clock: Pick<Clock, 'now'>
  readonly keysOf: LimitKeysOf
  /** Returns whether a request has no limit. */
  readonly isExempt: (request: FastifyRequest) => boolean
}

/** Creates a limit whose callers have used nothing yet. */
export function createRequestLimit(options: RequestLimitOptions): RequestLimit {
  const { perMinute = DEFAULT_RATE_LIMIT, clock, keysOf, isExempt } = options
  if (perMinute === 0) return { take: () => {}, takeMessages: () => {} }
  const rate = { perSecond: perMinute / 60, burst: perMinute }
  const limiter = RateLimiter.create({ now: () => clock.now() })
  /** Once a connection is closed, its address is no longer known. */
  const known = new WeakMap<FastifyRequest, IpAddress.LimitKeys | 'exempt'>()
  const identify = (request: FastifyRequest) => {
    const caller = known.get(request) ?? (isExempt(request) ? 'exempt' : keysOf(request))
    known.set(request, caller)
    return caller
  }
  const take = (request: FastifyRequest, reply: FastifyReply, units: number, what: string) => {
    const keys = identify(request)
    if (units <= 0 || keys === 'exempt') return
    const waitMs = limiter.take(keys, units, rate)
    void reply.headers(RateLimiter.headers(rate, limiter.left(keys, rate)))
    if (waitMs === 0) return
    Refusals.publish({ service: 'aggregator', caller: keys[0].key, limit: 'requests' })
    const retryAfter = RateLimiter.retryAfter(waitMs)
    throw refused(`${what}; try again in ${retryAfter} s`, retryAfter)
  }
  return {
    take: (request, reply, units) =>
      take(request, reply, units, `more than ${perMinute} requests in a minute`),
    takeMessages: (request, reply, messages) => {
      if (messages > perMinute && identify(request) !== 'exempt') {
        const limit = `always exceeds the rate limit of ${perMinute} a minute`
        throw refused(`a batch of ${messages} messages ${limit}; send fewer messages`, '60')
      }
      const what = `${messages} messages exceed the rate limit of ${perMinute} a minute`
      take(request, reply, messages - 1, what)
    },
  }
}

function refused(message: string, retryAfter: string): AggregatorError {
  return new AggregatorError('AGGREGATOR_RATE_LIMIT', message, {
    details: { headers: { 'retry-after': retryAfter } },
  })
}
