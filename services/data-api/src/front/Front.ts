import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import compress from '@fastify/compress'
import swagger from '@fastify/swagger'
import scalar from '@scalar/fastify-api-reference'
import type {
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  FastifyServerOptions,
} from 'fastify'
import { Type } from 'typebox'
import { DataApiError } from '../DataApiError.ts'
import type { Access } from './Access.ts'
import { type AnswerCache, createAnswerCache, type Rendered, render } from './AnswerCache.ts'
import type { Endpoint, EventStream } from './Endpoint.ts'
import * as ErrorBody from './ErrorBody.ts'
import * as Parameter from './Parameter.ts'

/** What the front of a listener is made of. */
export interface FrontOptions {
  readonly title: string
  readonly version: string
  readonly endpoints: readonly Endpoint[]
  readonly streams?: readonly EventStream[]
  /** Keys and limits. */
  readonly access: Access
  /** Before every path, such as `/data`; none by default. */
  readonly prefix?: string
  /** The longest that a request may take. */
  readonly timeoutMs: number
  /** Bytes of answers that are kept for those who ask the same; 64 MiB. */
  readonly answerCacheBytes?: number
}

/** Options that a server needs beside the plugin, as they can't be set later. */
export const serverOptions = {
  genReqId: () => crypto.randomUUID(),
  frameworkErrors: (error, _request, reply) => {
    const body = ErrorBody.of(error)
    void (reply as FastifyReply).code(body.statusCode).send(body)
  },
} satisfies FastifyServerOptions

const BODY_LIMIT = 1_048_576
/** When what is unavailable may be asked for again, unless its error says so itself. */
const RETRY_AFTER_SECONDS = '1'
const ANSWER_CACHE_BYTES = 64 * 1_048_576
const ALLOWED_HEADERS = 'content-type, x-data-api-key, x-glacier-api-key'

/**
 * Returns a fastify plugin that serves endpoints: route, key, limit, parameters, then the work, in this order; every refusal in
 * one shape; headers that say how fresh an answer is; OpenAPI 3.1 at `/openapi.json` and a page at `/docs`.
 */
export function front(options: FrontOptions): FastifyPluginAsync {
  return async (server) => {
    await server.register(compress, { global: true, threshold: 1_024 })
    addRefusals(server)
    addCrossOrigin(server)
    await addDocumentation(server, options)
    const kept = createAnswerCache(options.answerCacheBytes ?? ANSWER_CACHE_BYTES)
    for (const endpoint of options.endpoints) addEndpoint(server, endpoint, options, kept)
    for (const stream of options.streams ?? []) addStream(server, stream, options)
  }
}

function addRefusals(server: FastifyInstance): void {
  server.setErrorHandler((error, request, reply) => {
    const body = ErrorBody.of(error)
    if (body.statusCode === 503) reply.header('retry-after', RETRY_AFTER_SECONDS)
    const headers = (error as { details?: { headers?: Record<string, string> } }).details?.headers
    if (headers !== undefined) reply.headers(headers)
    const facts = { code: ErrorBody.translate(error).code, err: error }
    if (body.statusCode >= 500) request.log.error(facts, 'request failed')
    else request.log.info({ code: facts.code, reason: body.message }, 'request refused')
    return reply.code(body.statusCode).send(body)
  })
  server.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?')
    const message = `Cannot ${request.method} ${path.slice(0, 200)}; GET /docs lists what there is`
    const body = ErrorBody.of(new DataApiError('DATA_ROUTE', message))
    return reply.code(body.statusCode).send(body)
  })
}

/** Browsers may call from anywhere: keys come in a header, never in a cookie. */
function addCrossOrigin(server: FastifyInstance): void {
  server.addHook('onRequest', async (request, reply) => {
    reply.header('access-control-allow-origin', '*')
    reply.header('x-request-id', request.id)
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return
    reply.header('access-control-allow-methods', 'GET, POST').header('access-control-max-age', '86400')
    await reply.header('access-control-allow-headers', ALLOWED_HEADERS).code(204).send()
  })
}

/** The page works without the internet: nothing of it asks its maker's servers. */
const PAGE = {
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
} as const

async function addDocumentation(server: FastifyInstance, { title, version, prefix = '' }: FrontOptions) {
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title, version, description: 'Indexed data of the Avalanche network.' },
      components: {
        securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'x-data-api-key' } },
      },
      // A key is taken where one is given.
      security: [{}, { key: [] }],
    },
  })
  server.get(`${prefix}/openapi.json`, { schema: { hide: true } }, async () => server.swagger())
  await server.register(scalar, {
    routePrefix: `/${`${prefix}/docs`.slice(1)}`,
    configuration: PAGE,
  })
}

function addEndpoint(
  server: FastifyInstance,
  endpoint: Endpoint,
  options: FrontOptions,
  kept: AnswerCache,
): void {
  server.route({
    ...routeOf(endpoint, options, endpoint.method),
    bodyLimit: BODY_LIMIT,
    handler: (request, reply) => answer(endpoint, options, kept, request, reply),
  })
}

/** Listeners of all streams together, each of which holds a connection. */
const MOST_LISTENERS = 1_000

function addStream(server: FastifyInstance, stream: EventStream, options: FrontOptions): void {
  let listeners = 0
  server.route({
    ...routeOf(stream, options, 'GET'),
    // What is compressed waits for more.
    compress: false,
    handler: async (request, reply) => {
      reply.headers(await options.access.admit(request, stream))
      const path = Parameter.read(stream.pathParameters, request.params as Record<string, string>)
      const query = Parameter.read(stream.queryParameters, request.query as Record<string, string>)
      const lastEventId = request.headers['last-event-id'] as string | undefined
      if (listeners >= MOST_LISTENERS) {
        throw new DataApiError('DATA_UNAVAILABLE', `there are ${listeners} listeners already`)
      }
      listeners++
      reply.raw.once('close', () => listeners--)
      const events = await stream.open({ path, query, lastEventId, signal: whenGone(reply) } as never)
      const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' }
      return reply.headers({ ...headers, 'x-accel-buffering': 'no' }).send(Readable.from(events))
    },
  })
}

function routeOf(
  endpoint: Pick<
    Endpoint,
    'path' | 'summary' | 'tag' | 'status' | 'response' | 'requestBody' | 'pathParameters' | 'queryParameters'
  >,
  { prefix = '' }: FrontOptions,
  method: 'GET' | 'POST',
) {
  const { path, summary, tag, status = 200, response, requestBody } = endpoint
  return {
    method,
    url: prefix + routeUrl(path),
    schema: {
      summary,
      tags: [tag],
      params: objectOf(endpoint.pathParameters, true),
      querystring: objectOf(endpoint.queryParameters, false),
      ...(requestBody === undefined ? {} : { body: requestBody }),
      response: {
        [status]: response,
        '4xx': ErrorBody.ErrorBody,
        '5xx': ErrorBody.ErrorBody,
      },
    },
    /** Parameters are read in the handler, after key and limit, for errors that name what is allowed. */
    validatorCompiler: () => () => true,
    /** Bodies come as text: 64-bit numbers stay exact. */
    serializerCompiler: () => (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body)),
  }
}

/** A path as the router has it: two colons are one, and a parameter in front of one ends there. */
function routeUrl(path: string): string {
  return path
    .replace(/:(?=(list|get|reindex))/, '::')
    .replace(/\{(\w+)\}::/g, ':$1([^/:]*)::')
    .replace(/\{(\w+)\}/g, ':$1')
}

function objectOf(specification: Parameter.Specification, isPath: boolean) {
  const properties = Object.entries(specification).map(([name, { schema, isRequired, fallback }]) => [
    name,
    isPath || (isRequired && fallback === undefined) ? schema : Type.Optional(schema),
  ])
  return Type.Object(Object.fromEntries(properties))
}

async function answer(
  endpoint: Endpoint,
  { access, timeoutMs }: FrontOptions,
  kept: AnswerCache,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.headers(await access.admit(request, endpoint))
  const raw = request.query as Readonly<Record<string, string | string[]>>
  const path = Parameter.read(endpoint.pathParameters, request.params as Record<string, string>)
  const query = Parameter.read(endpoint.queryParameters, raw)
  const userAgent = request.headers['user-agent'] ?? ''
  const rest = { path, query, raw: joined(raw), body: request.body, userAgent }
  const timeout = AbortSignal.timeout(timeoutMs)
  if (endpoint.version === undefined || request.method !== 'GET') {
    const call = { ...rest, signal: AbortSignal.any([timeout, whenGone(reply)]) }
    return send(endpoint, render(await endpoint.handle(call as never)), request, reply)
  }
  // Others may come to wait for the same answer: it is made even if this caller goes away.
  const call = { ...rest, signal: timeout }
  const key = `${await endpoint.version(call as never)} ${request.url}`
  return send(endpoint, await kept.of(key, () => endpoint.handle(call as never)), request, reply)
}

function whenGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  return gone.signal
}

function joined(raw: Readonly<Record<string, string | string[]>>): Record<string, string> {
  return Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, [value].flat().join(',')]))
}

function send(
  endpoint: Endpoint,
  answer: Rendered,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { text, height, time } = answer
  reply
    .code(answer.status ?? endpoint.status ?? 200)
    .header('content-type', 'application/json; charset=utf-8')
  if (height !== undefined) reply.header('x-firn-height', String(height))
  if (time !== undefined) reply.header('x-firn-block-time', String(time))
  if (answer.isFinal !== true) return reply.header('cache-control', 'no-cache').send(text)
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  reply.header('etag', tag).header('cache-control', 'public, max-age=31536000, immutable')
  return request.headers['if-none-match'] === tag ? reply.code(304).send() : reply.send(text)
}
