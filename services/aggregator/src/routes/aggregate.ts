import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { AggregatorError } from '../AggregatorError.ts'
import { Answer, Failure, type Parts, toAnswer, toFailure } from '../Answer.ts'
import type { AppDependencies, RouteDependencies } from '../AppDependencies.ts'
import * as Deadline from '../Deadline.ts'
import { reportOf } from '../Quorum.ts'
import * as RequestBody from '../RequestBody.ts'
import { logError, toAggregatorError } from '../RequestErrors.ts'
import type { Limits, Signed } from '../Signatures.ts'
import { excerpt } from '../Validation.ts'
import { Accepted, accept, PreferHeader, prefersAsync } from './accept.ts'

/** The route's path in the Data API. */
export const PATH = '/v1/signatureAggregator/:network/aggregateSignatures'

const OFFICIAL_SDK = /^speakeasy-sdk\/typescript/

/** Headers of error responses, for the documentation. */
export const RETRY = {
  'retry-after': Type.Integer({
    description: 'seconds to wait before a retry, if the service is busy',
  }),
}

/** Headers of the routes that collect signatures, for the documentation. */
export const Headers = Type.Object({
  [Deadline.HEADER]: Type.Optional(
    Type.String({
      description:
        'milliseconds within which the caller needs a response; at most the request time-out of the service',
    }),
  ),
})

/** Headers of the routes that can also return a job. */
export const AsyncHeaders = Type.Object({ ...Headers.properties, ...PreferHeader.properties })

/** The path parameters of the routes that return signed messages. */
export const Params = Type.Object({
  network: Type.String({ description: 'mainnet, fuji (or testnet), local' }),
})

/** The query of the routes that return signed messages. */
export const Query = Type.Object({
  report: Type.Optional(Type.Boolean({ description: 'includes the outcome for every validator' })),
  proof: Type.Optional(
    Type.Boolean({
      description: 'includes the validator set, so that anyone can verify the message offline',
    }),
  ),
})

/**
 * Adds the route that the Data API has as well. Its error bodies are `{ message, error, statusCode }`, with
 * the report if it was requested.
 */
export function addAggregateRoute(server: FastifyInstance, dependencies: RouteDependencies): void {
  const { configuration, networkId } = dependencies
  server.setErrorHandler((error, request, reply) => {
    logError(request, error)
    const known = toAggregatorError(error)
    // Only errors with a report need the query, which may itself be the cause of other errors.
    const body = toFailure(known, reportOf(known) !== undefined && parts(request).report)
    return reply.code(body.statusCode).send(body)
  })
  server.post<{ Params: { network: string } }>(
    PATH,
    {
      bodyLimit: configuration.bodyLimitBytes,
      schema: {
        summary: 'Collect signatures for a Warp message',
        tags: ['Signature aggregator'],
        params: Params,
        headers: AsyncHeaders,
        querystring: Query,
        body: RequestBody.Body,
        response: {
          200: Answer,
          201: Answer,
          202: Accepted,
          '4xx': Failure,
          '5xx': { ...Failure, headers: RETRY },
        },
      },
    },
    async (request, reply) => {
      assertNetwork(request.params.network, dependencies)
      const included = parts(request)
      const parsed = RequestBody.parse(request.body)
      if (prefersAsync(request)) {
        const task = { kind: 'message', body: request.body, parts: included } as const
        return accept(request, reply, task, dependencies)
      }
      const signed = await collect(request, reply, dependencies, parsed)
      return reply
        .code(successStatus(request, configuration.successStatus))
        .send(toAnswer(signed, networkId, included))
    },
  )
}

/**
 * Collects the signatures for a request within the request time-out. Stops when the caller closes the connection.
 * @throws AggregatorError, AggregationError
 */
export async function collect(
  request: FastifyRequest,
  reply: FastifyReply,
  dependencies: RouteDependencies,
  body: RequestBody.AggregateRequest,
): Promise<Signed> {
  return limited(request, reply, body.deadlineMs, dependencies, (limits) =>
    dependencies.signatures.collect(body, limits),
  )
}

/**
 * Runs `work` within the time limit of a request, and aborts it when the caller closes the connection.
 * @throws AggregatorError `AGGREGATOR_FIELD`, `AGGREGATOR_TIMEOUT`, and errors of `work`
 */
export async function limited<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  deadlineMs: number | undefined,
  { configuration, callerName }: Pick<RouteDependencies, 'configuration' | 'callerName'>,
  work: (limits: Limits) => Promise<T>,
): Promise<T> {
  const deadline = Deadline.create(request.headers, deadlineMs, configuration.requestTimeout)
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(Deadline.exceeded(deadline)), deadline.timeoutMs)
  const onClose = () =>
    stop.abort(new AggregatorError('AGGREGATOR_TIMEOUT', 'the caller closed the connection'))
  reply.raw.once('close', onClose)
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

/**
 * Returns the status of a successful response. It can be 201, although the request creates nothing, because
 * the official TypeScript SDK accepts only 201.
 */
function successStatus(request: FastifyRequest, option: '200' | '201' | 'auto'): 200 | 201 {
  if (option === 'auto') return OFFICIAL_SDK.test(request.headers['user-agent'] ?? '') ? 201 : 200
  return option === '201' ? 201 : 200
}
