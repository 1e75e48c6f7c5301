import { excerpt, isFirnError, Json } from '@firn/codec'
import { type ApiKey, type ClientAddress, RequestJson, Validation } from '@firn/http'
import type { Logger } from '@firn/runtime'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import { Check } from 'typebox/schema'
import * as Document from './Document.ts'
import { ENDPOINTS, type Endpoint, type Parts } from './Endpoints.ts'
import { joinParts } from './joinParts.ts'
import type * as LandingPage from './LandingPage.ts'
import type { LocalAccess } from './LocalAccess.ts'
import * as OperatorAccess from './OperatorAccess.ts'
import { OperatorError, STATUS } from './OperatorError.ts'
import * as Watch from './Watch.ts'

export { create as createDocument } from './Document.ts'
export type { KeyStore, LimitReport, LogQuery, PartName, Parts, PeerReport } from './Endpoints.ts'
export { CODE_HEADER, TOKEN_HEADER } from './OperatorAccess.ts'
export type {
  CreatedKey,
  Examination,
  Key,
  Limit,
  LimitedCaller,
  LogLine,
  NewKey,
  Peer,
  Progress,
  SubnetPeers,
  Upstream,
  Usage,
} from './Shapes.ts'

/** The endpoints for operators of one service. */
export interface Operators {
  readonly parts: Parts
  readonly access: OperatorAccess.AccessOptions
  readonly version: string
  readonly log: Pick<Logger, 'info' | 'error'> | undefined
  /** Stops to collect upstreams, refusals and log lines. */
  close(): void
}

/** Options of {@link create}. */
export interface OperatorsOptions {
  /** Data of this service, and of other services in the same process. Lists of the same part are joined. */
  readonly parts: readonly Parts[]
  /** Returns the stored API keys, of which those with the scope `admin` give access; by default there are none. */
  readonly keys?: (() => Promise<readonly ApiKey.StoredKey[]>) | undefined
  /** Token and links for callers on this machine; by default there are none. */
  readonly local?: LocalAccess | undefined
  readonly version: string
  readonly log?: Pick<Logger, 'info' | 'error'> | undefined
  /** Returns the time in milliseconds since 1970; by default the system's clock. */
  readonly now?: (() => number) | undefined
}

/**
 * Creates the endpoints for operators of a service. Upstreams, refused callers and log lines of the whole process are
 * collected from now on.
 * @example
 * ```ts
 * import { Operators } from '@firn/operate'
 *
 * const operators = Operators.create({ parts: [], version: '0.2.0' })
 * operators.close()
 * ```
 */
export function create({ parts, keys, local, version, log, now = Date.now }: OperatorsOptions): Operators {
  const watch = Watch.start(now)
  return {
    parts: joinParts([
      ...parts,
      {
        upstreams: watch.upstreams,
        limits: () => ({ limits: [], limited: watch.limited() }),
        log: watch.lines,
      },
    ]),
    access: { keys, local },
    version,
    log,
    close: watch.close,
  }
}

/**
 * Returns what the landing page tells the console of the endpoints for operators: which data they have.
 * @example
 * ```ts
 * import { Operators } from '@firn/operate'
 *
 * const operators = Operators.create({ parts: [], version: '0.2.0' })
 * Operators.apiOf(operators) // { kind: 'operate', url: './', parts: ['upstreams', 'limits', 'log'] }
 * operators.close()
 * ```
 */
export function apiOf({ parts }: Pick<Operators, 'parts'>): LandingPage.Api {
  const names = Object.entries(parts).flatMap(([name, part]) => (part === undefined ? [] : [name]))
  return { kind: 'operate', url: './', parts: names }
}

const PREFIX = '/operate'

/**
 * Returns whether the endpoints for operators answer a path.
 * @example
 * ```ts
 * import { Operators } from '@firn/operate'
 *
 * Operators.isPath('/operate/log') // true
 * ```
 */
export function isPath(path: string): boolean {
  return path === PREFIX || path.startsWith(`${PREFIX}/`)
}

/** A request for an endpoint for operators. */
export interface Request extends ClientAddress.Source {
  readonly method: string
  /** Path with the query. */
  readonly url: string
  /** Body of a POST request; empty if there is none. */
  readonly body: string
}

/** The response to a {@link Request}. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Returns whether a request comes from an operator of the service, for what other endpoints show operators only.
 * @throws the errors of the service's store of keys
 * @example
 * ```ts
 * import { Operators } from '@firn/operate'
 *
 * const operators = Operators.create({ parts: [], version: '0.2.0' })
 * const socket = { remoteAddress: '127.0.0.1' }
 * await Operators.isOperator({ headers: {}, socket }, operators) // false: the address alone is not enough
 * operators.close()
 * ```
 */
export function isOperator(
  request: ClientAddress.Source,
  { access }: Pick<Operators, 'access'>,
): Promise<boolean> {
  return OperatorAccess.isOperator(request, access)
}

/**
 * Answers a request for an endpoint for operators. Access is checked before anything else. Never throws: an error is an
 * answer, too.
 * @example
 * ```ts
 * import { Operators } from '@firn/operate'
 *
 * const operators = Operators.create({ parts: [], version: '0.2.0' })
 * const socket = { remoteAddress: '203.0.113.9' }
 * const request = { method: 'GET', url: '/operate/log', headers: {}, socket, body: '' }
 * const { status } = await Operators.answer(request, operators) // 401
 * operators.close()
 * ```
 */
export async function answer(request: Request, operators: Operators): Promise<Answer> {
  try {
    if (isSignIn(request)) return send(200, { token: OperatorAccess.signIn(request, operators.access) })
    const caller = await OperatorAccess.admit(request, operators.access)
    return send(200, (await work(request, operators, caller)) as Json.Json)
  } catch (error) {
    const known = translate(error)
    if (known.code === 'OPERATE_INTERNAL')
      operators.log?.error({ err: error }, 'request of an operator failed')
    const { code, message } = known
    return send(STATUS[code], { message, code, statusCode: STATUS[code] })
  }
}

/** Path at which the console exchanges the code of a link for a token. */
const SIGN_IN = `${PREFIX}/sign-in`

function isSignIn({ method, url }: Request): boolean {
  return method === 'POST' && url === SIGN_IN
}

async function work(request: Request, operators: Operators, caller: string): Promise<unknown> {
  const { method, url } = request
  const { pathname: path, searchParams } = new URL(url, 'http://service')
  if (path === `${PREFIX}/openapi.json` && isRead(method)) return Document.create(operators.version)
  const found = find(method, path)
  const part = found && operators.parts[found.endpoint.part]
  if (found === undefined || part === undefined) {
    const message = `no endpoint for operators of this service has this path; GET ${PREFIX}/openapi.json describes all of them`
    throw new OperatorError('OPERATE_ROUTE', message)
  }
  const { endpoint, keyId } = found
  const query = readQuery(endpoint, searchParams)
  const body = endpoint.body === undefined ? undefined : readBody(endpoint.body, request.body)
  const result = await endpoint.handle(part as never, { keyId, query, body })
  if (endpoint.method === 'POST') {
    const { operationId } = endpoint
    operators.log?.info({ caller, operationId, keyId: keyId === '' ? undefined : keyId }, 'API keys changed')
  }
  return result
}

const isRead = (method: string) => method === 'GET' || method === 'HEAD'

function find(method: string, path: string) {
  const wanted = isRead(method) ? 'GET' : method
  for (const endpoint of ENDPOINTS) {
    const pattern = new RegExp(`^${endpoint.path.replace('{keyId}', '([0-9a-f]{16})')}$`)
    const [matched, keyId = ''] = pattern.exec(path) ?? []
    if (matched !== undefined && endpoint.method === wanted) return { endpoint, keyId }
  }
  return undefined
}

function readQuery({ query = {} }: Endpoint, given: URLSearchParams): never {
  const values = Object.entries(query).map(([name, schema]) => {
    const text = given.get(name)
    const { type, default: fallback } = schema as { readonly type?: string; readonly default?: unknown }
    const value = text === null ? fallback : type === 'integer' ? Number(text) : text
    if (Check(schema, value)) return [name, value]
    const problem = { field: name, expected: Validation.describe(schema), got: excerpt(text) }
    throw new OperatorError('OPERATE_INPUT', Validation.sentence(problem))
  })
  return Object.fromEntries(values) as never
}

function readBody(schema: NonNullable<Endpoint['body']>, text: string): unknown {
  let value: unknown
  try {
    value = RequestJson.parse(text)
  } catch (cause) {
    throw new OperatorError('OPERATE_INPUT', `body: ${(cause as Error).message}`, { cause })
  }
  const problem = Validation.firstProblem(schema, value, 'body')
  if (problem !== undefined) throw new OperatorError('OPERATE_INPUT', Validation.sentence(problem))
  return value
}

/** Codes of database errors that pass. */
const PASSING = ['STORE_UNAVAILABLE', 'STORE_TIMEOUT', 'STORE_READ_ONLY']

function translate(error: unknown): OperatorError {
  if (error instanceof OperatorError) return error
  const options = { cause: error }
  if (isFirnError(error) && error.code === 'HTTP_KEY') {
    return new OperatorError('OPERATE_INPUT', error.message, options)
  }
  if (isFirnError(error) && PASSING.includes(error.code)) {
    return new OperatorError('OPERATE_UNAVAILABLE', error.message, options)
  }
  const message = 'internal error; the log of the service has the reason'
  return new OperatorError('OPERATE_INTERNAL', message, options)
}

function send(status: number, body: Json.Json): Answer {
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    },
    body: Json.stringify(body),
  }
}

/** Largest body of a request in bytes. */
export const MAX_BODY = 16_384

/** Hides a route from the OpenAPI document of the service. */
const HIDDEN: FastifySchema & { readonly hide: boolean } = { hide: true }

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/**
 * Adds the endpoints for operators to a fastify server. The server must not allow requests across origins for its other
 * routes with a hook that also applies to these.
 * @example
 * ```ts
 * import { Operators } from '@firn/operate'
 * import fastify from 'fastify'
 *
 * const server = fastify()
 * const operators = Operators.create({ parts: [], version: '0.2.0' })
 * Operators.addRoutes(server, operators)
 * operators.close()
 * ```
 */
export function addRoutes(server: Pick<FastifyInstance, 'register'>, operators: Operators): void {
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    const options = { parseAs: 'string', bodyLimit: MAX_BODY } as const
    scope.addContentTypeParser('application/json', options, (_request, text, done) => done(null, text))
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      const { method, url, headers, raw, body } = request
      const text = typeof body === 'string' ? body : ''
      const answered = await answer({ method, url, headers, socket: raw.socket, body: text }, operators)
      return reply.code(answered.status).headers(answered.headers).send(answered.body)
    }
    for (const { method, path } of ENDPOINTS) {
      scope.route({ method, url: path.replace('{keyId}', ':keyId'), ...ROUTE, handler })
    }
    // Preflight requests and unknown paths get the same checks, and no header that allows other origins.
    scope.route({ method: METHODS, url: `${PREFIX}/*`, ...ROUTE, handler })
  })
}

// Not `as const`, which would not fit the type of routes.
const ROUTE: { readonly logLevel: 'warn'; readonly schema: FastifySchema } = {
  logLevel: 'warn',
  schema: HIDDEN,
}
