import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { AggregatorError } from '../AggregatorError.ts'
import { Answer, ReportJson, reportJson, toAnswer } from '../Answer.ts'
import type { AppDependencies } from '../AppDependencies.ts'
import type { CallerName } from '../Caller.ts'
import * as Deadline from '../Deadline.ts'
import * as ErrorTable from '../ErrorTable.ts'
import { reportOf, setOf } from '../Quorum.ts'
import * as RequestBody from '../RequestBody.ts'
import type { Signed } from '../Signatures.ts'
import { excerpt } from '../Validation.ts'

/** The route's path in the Data API. */
export const PATH = '/v1/signatureAggregator/:network/aggregateSignatures'

const OFFICIAL_SDK = /^speakeasy-sdk\/typescript/

/** Dependencies of the routes that collect signatures. */
export interface RouteDependencies extends AppDependencies {
  /** Names the caller whose budget is charged; undefined if callers have no budgets. */
  readonly callerName: CallerName | undefined
}

/** The body of an error response. */
export const Failure = Type.Object({
  message: Type.String(),
  error: Type.String(),
  statusCode: Type.Integer(),
  report: Type.Optional(ReportJson),
})
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

const Query = Type.Object({
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
    const body = ErrorTable.toBody(toAggregatorError(error))
    return reply
      .code(body.statusCode)

      .send({ ...body, ...reportOfFailure(request, error) })
  })
  server.post<{ Params: { network: string }; Querystring: Record<string, unknown> }>(
    PATH,
    {
      bodyLimit: configuration.bodyLimitBytes,
      schema: {
        summary: 'Collect signatures for a Warp message',
        tags: ['Signature aggregator'],
        params: Type.Object({ network: Type.String({ description: 'mainnet, fuji (or testnet), local' }) }),
        headers: Headers,
        querystring: Query,
        body: RequestBody.Body,
        response: { 200: Answer, 201: Answer, '4xx': Failure, '5xx': { ...Failure, headers: RETRY } },
      },
    },
    async (request, reply) => {
      assertNetwork(request.params.network, dependencies)
      const parts = { report: flag(request.query, 'report'), proof: flag(request.query, 'proof') }
      const signed = await collect(request, reply, dependencies, RequestBody.parse(request.body))
      return reply
        .code(successStatus(request, configuration.successStatus))
        .send(toAnswer(signed, networkId, parts))
    },
  )
}

/** Converts errors of the HTTP framework to errors of this service. Returns other errors unchanged. */
export function toAggregatorError(error: unknown): unknown {
  if (ErrorTable.codeOf(error) !== 'AGGREGATOR_INTERNAL') return error
  const { code, statusCode, message } = error as { code?: string; statusCode?: number; message?: string }
  if (code === 'FST_ERR_BAD_URL' || code === 'FST_ERR_MAX_PARAM_LENGTH') {
    return new AggregatorError('AGGREGATOR_ROUTE', 'the path cannot be decoded', { cause: error })
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new AggregatorError('AGGREGATOR_BODY', `body: ${message}`, {
      details: { field: 'body' },
      cause: error,
    })
  }
  return error
}

/**
 * Logs internal errors of this service at the level `error`. All other errors are caused by the caller or the
 * network, and are logged at a lower level.
 */
export function logError(request: FastifyRequest, error: unknown): void {
  const code = ErrorTable.codeOf(toAggregatorError(error))
  if (ErrorTable.TABLE[code].status === 500) request.log.error({ err: error, code }, 'request failed')
  else request.log.info({ code, reason: (error as Error).message }, 'request rejected')
}

/**
 * Collects the signatures for a request within the request time-out. Stops when the caller closes the connection.
 * @throws AggregatorError, AggregationError
 */
export async function collect(
  request: FastifyRequest,
  reply: FastifyReply,
  { signatures, configuration, callerName }: RouteDependencies,
  body: RequestBody.AggregateRequest,
): Promise<Signed> {
  const deadline = Deadline.create(request.headers, body.deadlineMs, configuration.requestTimeout)
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(Deadline.exceeded(deadline)), deadline.timeoutMs)
  const onClose = () =>
    stop.abort(new AggregatorError('AGGREGATOR_TIMEOUT', 'the caller closed the connection'))
  reply.raw.once('close', onClose)
  try {
    return await signatures.collect(body, {
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

function reportOfFailure(request: FastifyRequest, error: unknown) {
  const report = reportOf(error)
  const at = setOf(error)
  if (report === undefined || at === undefined) return {}
  return flag(request.query as Readonly<Record<string, unknown>>, 'report')
    ? { report: reportJson(report, at) }
    : {}
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
