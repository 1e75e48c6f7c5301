import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AggregatorError } from '../AggregatorError.ts'
import { DEFAULT_RATE_LIMIT } from '../Configuration.ts'

/** A caller of the HTTP interface. */
export interface Caller {
  /** Name of the caller's API key; undefined if the service has no keys. */
  readonly key: string | undefined
  /** Name under which the caller is limited: the API key or the address. */
  readonly name: string
}

/** Identifies and limits the callers of one server. */
export interface Callers {
  /** @throws AggregatorError `AGGREGATOR_KEY` */
  identify(request: FastifyRequest): Caller
  /**
   * Counts further aggregations of one HTTP request against the caller's rate limit. The first aggregation is
   * counted when the request arrives.
   * @throws AggregatorError `AGGREGATOR_RATE_LIMIT`, in which case nothing is counted
   */
  charge(request: FastifyRequest, reply: FastifyReply, count: number): Promise<void>
}

/** Returns the `charge` of {@link Callers}. It uses the rate limit of the server; 0 means no limit. */
export function createCharge(server: FastifyInstance, perMinute = DEFAULT_RATE_LIMIT): Callers['charge'] {
  if (perMinute === 0) return async () => {}
  const limit = server.createRateLimit()
  return async (request, reply, count) => {
    if (count === 0) return
    const state = await limit(request, { increment: false })
    if (state.isAllowed) return
    if (state.remaining < count) {
      throw new AggregatorError(
        'AGGREGATOR_RATE_LIMIT',
        count < perMinute
          ? `${count + 1} messages exceed the rate limit of ${perMinute} a minute; try again in ${state.ttlInSeconds} s`
          : `a batch of ${count + 1} messages always exceeds the rate limit of ${perMinute} a minute; send fewer messages`,
        { details: { headers: { 'retry-after': String(state.ttlInSeconds) } } },
      )
    }
    let { remaining } = state
    for (let counted = 0; counted < count; counted++) {
      const after = await limit(request)
      if (!after.isAllowed) remaining = after.remaining
    }
    reply.header('ratelimit-remaining', remaining)
  }
}
