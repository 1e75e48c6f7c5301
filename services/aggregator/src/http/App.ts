import { isFirnError } from '@firn/codec'
import { ClientAddress, CrossOrigin, QueryParser, RateLimiter, TrustedProxies, UnreadBody } from '@firn/http'
import type {
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  FastifyServerOptions,
} from 'fastify'
import { createApiKeys } from '../callers/ApiKeys.ts'
import { createLimitKeys } from '../callers/Caller.ts'
import { BYTES_PER_UNIT, createRequestLimit, type RequestLimit } from '../callers/RequestLimit.ts'
import * as UnlimitedCallers from '../callers/UnlimitedCallers.ts'
import { AggregatorError } from '../errors/AggregatorError.ts'
import * as ErrorTable from '../errors/ErrorTable.ts'
import { logError, toAggregatorError } from '../errors/RequestErrors.ts'
import type { AppDependencies, RouteDependencies } from './AppDependencies.ts'
import { addAggregateRoute, addBatchRoute } from './aggregateSignatures.ts'
import { RULES } from './CrossOrigin.ts'
import { addDocumentation, collectDocumentation } from './documentation.ts'
import { addGoRoute } from './goAggregate.ts'
import { addJobRoutes } from './jobs.ts'
import { addMessageRoutes } from './messages.ts'
import { addOperationRoutes } from './operations.ts'
import { addQuorumRoute } from './quorum.ts'
import { addQuorumsRoute } from './quorums.ts'
import * as RequestContent from './RequestContent.ts'
import { addReadinessRoute } from './readiness.ts'
import { createShutdown } from './Shutdown.ts'
import { addValidityRoute } from './validity.ts'

const POST_PATH = /^\/v1\/signatureAggregator\/[^/?]+\/aggregateSignatures(?::batch)?$/

/** The path of the Data API that finds the message of a transaction, which needs an index of the source chain. */
const BY_TRANSACTION = /^\/v1\/signatureAggregator\/[^/?]+\/aggregateSignatures\/[^/?]+$/

/** Server options that the plugin needs. They must be set when the server is created. */
export const serverOptions: Pick<FastifyServerOptions, 'genReqId' | 'frameworkErrors' | 'routerOptions'> = {
  routerOptions: { querystringParser: QueryParser.parse },
  genReqId: () => crypto.randomUUID(),
  frameworkErrors: (error, _request, reply) => {
    const body = ErrorTable.toBody(toAggregatorError(error))
    void (reply as FastifyReply).code(body.statusCode).headers(CrossOrigin.headers(RULES)).send(body)
  },
}

/**
 * Returns the HTTP interface as a fastify plugin with all routes, error handling, limits and the OpenAPI
 * page.
 */
export function app(dependencies: AppDependencies): FastifyPluginAsync {
  return async (server) => {
    const { configuration } = dependencies
    const keys = createApiKeys(configuration.apiKeys)
    RequestContent.ignoreContentType(server)
    /**
     * Disables fastify's validation. The handlers validate bodies with the same schemas, and their errors
     * name the field and the allowed values.
     */
    server.setValidatorCompiler(() => () => true)
    CrossOrigin.addHook(server, RULES)
    addHooks(server)
    await collectDocumentation(server, dependencies.version)
    const direct = new Set<string>()
    await server.register(async (scope) => {
      scope.addHook('onRoute', ({ url }) => void direct.add(url))
      addOperationRoutes(scope, dependencies)
    })
    addProxyCheck(server, direct, TrustedProxies.create(configuration))
    const keysOf = createLimitKeys(keys, configuration)
    const callerName = (request: FastifyRequest) => keysOf(request)[0].key
    const limit = createRequestLimit({
      perMinute: configuration.rateLimitPerMinute,
      clock: dependencies.clock,
      keysOf,
      isExempt: UnlimitedCallers.createExemption(keys, configuration),
    })
    addRequestLimit(server, direct, limit)
    addDocumentation(server)
    server.setNotFoundHandler(async (request, reply) => {
      const body = ErrorTable.toBody(notFound(request))
      return reply.code(body.statusCode).send(body)
    })
    const shutdown = createShutdown(server, configuration.shutdownTimeout)
    const hasBudgets = configuration.p2pRequestsPerMinute > 0
    const routeDependencies: RouteDependencies = {
      ...dependencies,
      shutdown,
      callerName: hasBudgets ? callerName : undefined,
      callers: {
        identify: (request) => ({ key: keys.identify(request), name: callerName(request) }),
        limit,
      },
    }
    const isolated = (
      add: typeof addAggregateRoute,
      toBody: RequestContent.ToBody = RequestContent.parseJson,
    ) =>
      server.register(async (scope) => {
        RequestContent.addReader(scope, toBody, { limit, heldBytes: dependencies.heldBytes })
        // Requests with wrong keys count against the rate limit too, because `onRequest` counts them.
        scope.addHook('preParsing', async (request) => void keys.identify(request))
        scope.addHook('preParsing', async (request, reply) => holdBody(request, reply, dependencies))
        add(scope, routeDependencies)
      })
    await isolated(addAggregateRoute)
    await isolated(addBatchRoute)
    await isolated(addGoRoute, (text) => text)
    await isolated(addQuorumRoute)
    await isolated(addQuorumsRoute)
    await isolated(addReadinessRoute)
    await isolated(addMessageRoutes)
    await isolated(addValidityRoute)
    await isolated(addJobRoutes)
  }
}

/**
 * Counts the bytes of a body from before it is read until the response is closed. The bytes of a body without a stated size
 * count as they arrive, so that requests that never send them don't keep others out.
 */
function holdBody(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { configuration, heldBytes }: AppDependencies,
): void {
  const isUnknown = headers['transfer-encoding'] !== undefined
  const length = isUnknown ? BYTES_PER_UNIT : Number(headers['content-length'] ?? 0)
  // The body is rejected without being kept.
  if (length > configuration.bodyLimitBytes) return
  reply.raw.once('close', heldBytes.hold(length))
}

function addHooks(server: FastifyInstance): void {
  server.setErrorHandler((error, request, reply) => {
    logError(request, error)
    const body = ErrorTable.toBody(toAggregatorError(error))
    return reply.code(body.statusCode).send(body)
  })
  // Errors may carry headers of their response, such as `retry-after`.
  server.addHook('onError', async (_request, reply, error) => {
    if (isFirnError(error)) void reply.headers((error.details['headers'] ?? {}) as Record<string, string>)
  })
  /**
   * Set when the server is closing. Closing waits for open connections, so a kept-alive connection must end
   * after its response.
   */
  let isClosing = false
  server.addHook('preClose', async () => {
    isClosing = true
  })
  server.addHook('onSend', async (request, reply) => {
    UnreadBody.discard(request.raw)
    reply.header('x-request-id', request.id)
    if (isClosing) reply.header('connection', 'close')
  })
}

/** Refuses requests that did not pass all proxies, except for routes that probes and operators call directly. */
function addProxyCheck(
  server: FastifyInstance,
  direct: ReadonlySet<string>,
  trusted: TrustedProxies.TrustedProxies,
): void {
  server.addHook('onRequest', async (request) => {
    if (!direct.has(request.routeOptions.url ?? '')) ClientAddress.find(request, trusted)
  })
}

/**
 * Counts requests before their bodies are read, with the sizes that they state. Each file of the documentation and each
 * unknown path counts like an aggregation.
 */
function addRequestLimit(server: FastifyInstance, direct: ReadonlySet<string>, limit: RequestLimit): void {
  server.addHook('onRequest', async (request, reply) => {
    const { url = '', bodyLimit = 0 } = request.routeOptions
    if (direct.has(url)) return
    const stated = Number(request.headers['content-length'] ?? 0)
    // A body beyond the limit of its route is refused without being read.
    const bytes = stated <= bodyLimit ? stated : 0
    limit.take(request, reply, Math.max(1, RateLimiter.bodyUnits(bytes, BYTES_PER_UNIT)))
  })
}

function notFound(request: FastifyRequest): AggregatorError {
  const [path = ''] = request.url.split('?')
  const hint = POST_PATH.test(path)
    ? 'use POST'
    : BY_TRANSACTION.test(path)
      ? 'the Data API has this endpoint (firn up, firn data-api). Here, POST the sourceChain and transactionHash to …/aggregateSignatures'
      : 'GET /docs lists the endpoints'
  return new AggregatorError('AGGREGATOR_ROUTE', `Cannot ${request.method} ${path.slice(0, 200)}; ${hint}`)
}
