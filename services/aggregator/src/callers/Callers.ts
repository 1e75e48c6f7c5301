import type { FastifyRequest } from 'fastify'
import type { Caller } from './Caller.ts'
import type { RequestLimit } from './RequestLimit.ts'

/** Identifies and limits the callers of one server. */
export interface Callers {
  /** @throws AggregatorError `AGGREGATOR_KEY` */
  identify(request: FastifyRequest): Caller
  readonly limit: RequestLimit
}
