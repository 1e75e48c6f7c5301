import { excerpt } from '@firn/codec'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AggregatorError } from '../errors/AggregatorError.ts'
import { Failure, type Parts } from '../json/Answer.ts'
import * as Schema from '../Schema.ts'
import type { AggregateRequest } from '../signing/AggregateRequest.ts'
import type { Limits, Signed } from '../signing/Signatures.ts'
import type { AppDependencies, RouteDependencies } from './AppDependencies.ts'
import { PreferHeader } from './accept.ts'
import * as Deadline from './Deadline.ts'

/** The route's path in the Data API. */
export const PATH = '/v1/signatureAggregator/:network/aggregateSignatures'

/** Headers of error responses, for the documentation. */
export const RETRY = {
  'retry-after': Schema.integer(
    'Seconds to wait before a retry, if the service is busy or a limit is reached',
    1,
  ),
}

const FailureWithHeaders = { ...Failure, headers: RETRY }

/** The error responses of all routes under `/v1`. */
export const FAILURES = { '4xx': FailureWithHeaders, '5xx': FailureWithHeaders }

/** Headers of the routes that collect signatures, for the documentation. */
export const Headers = Schema.parameters({
  [Deadline.HEADER]: Schema.optional(
    Schema.text(
      'Milliseconds within which the caller needs a response; at most the request time-out of the service',
      '5000',
    ),
  ),
})

/** Headers of the routes that can also return a job. */
export const AsyncHeaders = Schema.parameters({ ...Headers.properties, ...PreferHeader.properties })

/** The network in a path. */
export const NETWORK = Schema.text(
  'Name of the network: mainnet, fuji (or testnet), local, network-<id>, its id, or the alias of the service',
  'fuji',
)

/** The path parameters of the routes that return signed messages. */
export const Params = Schema.parameters({ network: NETWORK })

/** The query of the routes that return signed messages. */
export const Query = Schema.parameters({
  report: Schema.optional(Schema.flag('Includes the outcome for every validator', true)),
  proof: Schema.optional(
    Schema.flag('Includes the validator set, so that anyone can verify the message offline', true),
  ),
})

/**
 * Collects the signatures for a request within the request time-out. Stops when the caller closes the connection.
 * @throws AggregatorError, AggregationError
 */
export async function collect(
  request: FastifyRequest,
  reply: FastifyReply,
  dependencies: RouteDependencies,
  body: AggregateRequest,
): Promise<Signed> {
  return limited(request, reply, body.deadlineMs, dependencies, (limits) =>
    dependencies.signatures.collect(body, limits),
  )
}

/**
 * Runs `work` within the time limit of a request, and aborts it when the caller closes the connection
 * or the shutdown time-out is almost over.
 * @throws AggregatorError `AGGREGATOR_FIELD`, `AGGREGATOR_TIMEOUT`, `AGGREGATOR_CLOSING`, and errors of `work`
 */
export async function limited<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  deadlineMs: number | undefined,
  {
    configuration,
    callerName,
    shutdown,
  }: Pick<RouteDependencies, 'configuration' | 'callerName' | 'shutdown'>,
  work: (limits: Limits) => Promise<T>,
): Promise<T> {
  const deadline = Deadline.create(request.headers, deadlineMs, configuration.requestTimeout)
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(Deadline.exceeded(deadline)), deadline.timeoutMs)
  const onClose = () =>
    stop.abort(new AggregatorError('AGGREGATOR_TIMEOUT', 'the caller closed the connection'))
  reply.raw.once('close', onClose)
  const unwatch = shutdown.watch((error) => stop.abort(error))
  try {
    return await work({
      deadlineMs: deadline.collectMs,
      signal: stop.signal,
      log: request.log,
      caller: callerName?.(request),
    })
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : error
  } finally {
    clearTimeout(timer)
    reply.raw.off('close', onClose)
    unwatch()
  }
}

/**
 * Throws if this process does not serve the network in the path.
 * @throws AggregatorError `AGGREGATOR_NETWORK`
 */
export function assertNetwork(network: string, { networkNames }: AppDependencies): void {
  if (networkNames.includes(network)) return
  throw new AggregatorError(
    'AGGREGATOR_NETWORK',
    `network: this process serves ${networkNames.join(' or ')}, got ${excerpt(network)}`,
    {
      details: { field: 'network' },
    },
  )
}

/**
 * Returns the parts of the response that the query asks for.
 * @throws AggregatorError `AGGREGATOR_FIELD`
 */
export function parts({ query }: FastifyRequest): Parts {
  const given = query as Readonly<Record<string, unknown>>
  return { report: flag(given, 'report'), proof: flag(given, 'proof') }
}

/**
 * Returns the value of a parameter that is true or false.
 * @throws AggregatorError `AGGREGATOR_FIELD`
 */
export function flag(query: Readonly<Record<string, unknown>>, name: 'report' | 'proof'): boolean {
  const value = Object.hasOwn(query, name) ? query[name] : undefined
  if (value === undefined || value === 'false') return false
  if (value === 'true' || value === '') return true
  throw new AggregatorError('AGGREGATOR_FIELD', `${name}: expected true or false, got ${excerpt(value)}`, {
    details: { field: name },
  })
}
