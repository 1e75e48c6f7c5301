import compress from '@fastify/compress'
import {
  ClientAddress,
  ConnectionLimits,
  CrossOrigin,
  QueryParser,
  RequestJson,
  TrustedProxies,
} from '@firn/http'
import { type Logger, silentLogger } from '@firn/runtime'
import type {
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  FastifyServerOptions,
} from 'fastify'
import { type AnswerCache, createAnswerCache, type Rendered, render } from './AnswerCache.ts'
import type { Access } from './admission/Access.ts'
import { addAdmission, BODY_LIMIT, notFound } from './admission/Admission.ts'
import { createOpenStreams } from './admission/OpenStreams.ts'
import { RULES } from './CrossOrigin.ts'
import * as Documentation from './Documentation.ts'
import { addDownloads } from './downloads.ts'
import * as EntityTag from './EntityTag.ts'
import * as ErrorBody from './ErrorBody.ts'
import { DataApiError } from './endpoint/DataApiError.ts'
import type { Download } from './endpoint/Download.ts'
import type { AnyCall, Endpoint, EventStream } from './endpoint/Endpoint.ts'
import { addErrorReply } from './errorReply.ts'
import * as Route from './Route.ts'
import { FOREVER, read, routeOf, whenGone } from './requests.ts'
import { shouldUpgrade } from './Sockets.ts'
import { addStreams } from './Stream.ts'
import { withTimeout } from './withTimeout.ts'

/** Returns the body of an answer as a client with a user agent needs it. */
export type BodyForm = (body: Buffer, userAgent: string) => Buffer

/** Options of {@link restPlugin}. */
export interface RestOptions {
  readonly title: string
  readonly version: string
  readonly endpoints: readonly Endpoint[]
  readonly streams?: readonly EventStream[]
  readonly downloads?: readonly Download[]
  /** Checks keys and rate limits. */
  readonly access: Access
  /** Proxies whose forwarding headers are trusted; by default none. */
  readonly trusted?: TrustedProxies.TrustedProxies
  /** Prefix of every path, such as `/data`; by default none. */
  readonly prefix?: string
  /** Timeout of a request in milliseconds. */
  readonly timeoutMs: number
  /** Maximum size of the response cache in bytes; by default 64 MiB. */
  readonly answerCacheBytes?: number
  /** Returns how the bodies of an endpoint depend on the client; by default, and if undefined, they do not. */
  readonly bodyForm?: (endpoint: Endpoint) => BodyForm | undefined
  /** Logger for requests that fail; by default they are not logged. */
  readonly log?: Logger | undefined
}

/** Maximum length of a parameter in a path, in characters. Names of events contain the name of a file. */
const LONGEST_PARAMETER = 500

/** Fastify options that the plugin needs but cannot set itself. */
export const serverOptions: Pick<
  FastifyServerOptions,
  'genReqId' | 'rewriteUrl' | 'frameworkErrors' | 'routerOptions'
> & {
  readonly http: object
} = {
  routerOptions: { querystringParser: QueryParser.parse, maxParamLength: LONGEST_PARAMETER },
  http: { ...ConnectionLimits.SERVER_OPTIONS, shouldUpgradeCallback: shouldUpgrade },
  genReqId: () => crypto.randomUUID(),
  rewriteUrl: ({ url = '/' }) => Route.decodeColons(url),
  frameworkErrors: (error, _request, reply) => {
    const body = ErrorBody.of(error)
    void (reply as FastifyReply).code(body.statusCode).headers(CrossOrigin.headers(RULES)).send(body)
  },
}

const ANSWER_CACHE_BYTES = 64 * 1_048_576

/**
 * Returns a fastify plugin that serves the given endpoints. Each request passes the same checks in this order: its route,
 * its key, its rate limit, the size of its body, the body's JSON, its parameters, and the part of its cost that depends
 * on them. All errors have the same format. The plugin also serves OpenAPI 3.1 at `/openapi.json` and a documentation
 * page at `/docs`.
 */
export function restPlugin(options: RestOptions): FastifyPluginAsync {
  const { trusted = TrustedProxies.NONE } = options
  return async (server) => {
    await server.register(compress, { global: true, threshold: 1_024 })
    addErrorReply(server, options.log ?? silentLogger)
    server.setNotFoundHandler(async (request) => {
      throw notFound(request)
    })
    server.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id))
    CrossOrigin.addHook(server, RULES)
    server.addHook('onRequest', async (request) => void ClientAddress.find(request, trusted))
    addAdmission(server, options.access)
    Documentation.addDocumentation(server, options)
    const kept = createAnswerCache(options.answerCacheBytes ?? ANSWER_CACHE_BYTES)
    parseAsJson(server, 'application/json')
    const withTypes = options.endpoints.filter(({ takesAnyContentType }) => takesAnyContentType !== true)
    for (const endpoint of withTypes) addEndpoint(server, endpoint, options, kept)
    await server.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      parseAsJson(scope, '*')
      const others = options.endpoints.filter((endpoint) => !withTypes.includes(endpoint))
      for (const endpoint of others) addEndpoint(scope, endpoint, options, kept)
    })
    const places = createOpenStreams()
    addStreams(server, options, places)
    addDownloads(server, options, places)
  }
}

/** Parses bodies of a content type as JSON. 64-bit numbers stay exact. */
function parseAsJson(server: FastifyInstance, contentType: 'application/json' | '*'): void {
  server.removeContentTypeParser('application/json')
  server.addContentTypeParser(contentType, { parseAs: 'string' }, (_request, text, done) => {
    try {
      done(null, text === '' ? undefined : RequestJson.parse(String(text)))
    } catch (cause) {
      const { message } = cause as Error
      done(new DataApiError('DATA_PARAMETER', `body: ${message}`, { cause }))
    }
  })
}

function addEndpoint(
  server: FastifyInstance,
  endpoint: Endpoint,
  options: RestOptions,
  kept: AnswerCache,
): void {
  const form = options.bodyForm?.(endpoint)
  server.route({
    ...routeOf(endpoint, options, endpoint.method),
    bodyLimit: BODY_LIMIT,
    handler: (request, reply) => answer(endpoint, options, kept, form, request, reply),
  })
}

async function answer(
  endpoint: Endpoint,
  { access, timeoutMs, prefix }: RestOptions,
  kept: AnswerCache,
  form: BodyForm | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const raw = request.query as Readonly<Record<string, string | string[]>>
  const { path, query } = await read(endpoint, request)
  await admitExtra(endpoint, { path, query, body: request.body }, access, request, reply)
  const userAgent = request.headers['user-agent'] ?? ''
  const caller = async () => ({ owner: await access.owner(request), url: baseOf(request, prefix) })
  const key = endpoint.needsKey === true ? await access.keyOf(request) : undefined
  const call = {
    path,
    query,
    raw: joined(endpoint.queryParameters, raw),
    body: request.body,
    key,
    userAgent,
    caller,
  }
  const milliseconds = endpoint.timeoutMs ?? timeoutMs
  const handle = (mostRows: number, gone: readonly AbortSignal[]) =>
    withTimeout(milliseconds, timedOut(milliseconds), (timeout) => {
      const signal = gone.length === 0 ? timeout : AbortSignal.any([timeout, ...gone])
      return endpoint.handle({ ...call, mostRows, signal })
    })
  if (endpoint.version === undefined || request.method !== 'GET') {
    const made = await budgeted((mostRows) => handle(mostRows, [whenGone(reply).signal]))
    return send(endpoint, render(made), form, request, reply)
  }
  const cacheKey = `${await endpoint.version(call)} ${request.url}`
  const known = kept.get(cacheKey)
  if (known !== undefined) return send(endpoint, known, form, request, reply)
  // A disconnect does not abort the computation, because other callers may wait for the same answer.
  const made = await budgeted((mostRows) =>
    kept.of(
      cacheKey,
      () => handle(mostRows, []),
      // A smaller budget may reject what a larger one allows.
      String(mostRows),
    ),
  )
  return send(endpoint, made, form, request, reply)

  function budgeted<T>(work: (mostRows: number) => Promise<T>): Promise<T> {
    const rows = endpoint.rows?.({ path, query })
    return rows === undefined ? work(Number.POSITIVE_INFINITY) : access.run(request, rows, work)
  }
}

const timedOut = (milliseconds: number) => () =>
  new DataApiError(
    'DATA_UNAVAILABLE',
    `the request took longer than ${milliseconds / 1_000} s; request less data at once or try again later`,
  )

/** Charges the part of the cost, and checks the scope, that depends on the request's parameters. */
async function admitExtra(
  { extraUnits, extraScope }: Endpoint,
  call: Pick<AnyCall, 'path' | 'query' | 'body'>,
  access: Access,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const extra = extraUnits?.(call) ?? 0
  const scope = extraScope?.(call)
  if (extra === 0 && scope === undefined) return
  reply.header('x-compute-units', String(Number(reply.getHeader('x-compute-units')) + extra))
  const charged =
    scope === undefined ? access.charge(request, extra) : access.admit(request, { scope, units: extra })
  reply.headers(await charged)
}

/** Returns the URL of the service as the caller wrote it. A proxy tells the scheme in `x-forwarded-proto`. */
function baseOf({ headers, host }: FastifyRequest, prefix = ''): string {
  const scheme = headers['x-forwarded-proto'] === 'https' ? 'https' : 'http'
  return `${scheme}://${host}${prefix}`
}

/** Returns the known parameters of a query. A query can have thousands of others. */
function joined(
  known: Endpoint['queryParameters'],
  raw: Readonly<Record<string, string | string[]>>,
): Record<string, string> {
  const given = Object.keys(known).filter((name) => raw[name] !== undefined)
  return Object.fromEntries(given.map((name) => [name, String(raw[name])]))
}

function send(
  endpoint: Endpoint,
  answer: Rendered,
  form: BodyForm | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { status = endpoint.status ?? 200, height, time, isFinal = false } = answer
  const bytes = form?.(answer.bytes, request.headers['user-agent'] ?? '') ?? answer.bytes
  reply.code(status).header('content-type', 'application/json; charset=utf-8')
  if (height !== undefined) reply.header('x-firn-height', String(height))
  if (time !== undefined) reply.header('x-firn-block-time', String(time))
  reply.header('cache-control', isFinal ? FOREVER : 'no-cache')
  if (request.method !== 'GET' && request.method !== 'HEAD') return reply.send(bytes)
  const tag = (bytes === answer.bytes ? answer.tag : undefined) ?? EntityTag.create(bytes)
  // A 304 response needs the `vary` header too, because the cached response depends on the encoding.
  const isPerClient = form !== undefined || endpoint.isPerClient === true
  reply.header('etag', tag).header('vary', isPerClient ? 'accept-encoding, user-agent' : 'accept-encoding')
  // A 304 response keeps the cached status, which is 200.
  const isKnown = status === 200 && EntityTag.isNamedBy(request.headers['if-none-match'], tag)
  return isKnown ? reply.code(304).send() : reply.send(bytes)
}
