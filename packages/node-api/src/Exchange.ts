import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type * as CallerLimits from './CallerLimits.ts'
import * as HttpRules from './HttpRules.ts'
import { limitRefusal } from './internal/limitRefusal.ts'
import { announcedLength, bodyUnits } from './internal/sizes.ts'

/** An HTTP request and its response. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Headers of every response, as a flat list of names and values. */
  readonly headers: readonly string[]
  /** Counter of buffered body bytes, shared by all requests of a server. */
  readonly bodies: BodyMemory
  /** What the caller may still use. The request itself and an announced body have been taken from it. */
  readonly budget: CallerLimits.Budget
  /** Called with the error of an endpoint that fails instead of answering. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** A request to upgrade a connection, and its socket. */
export interface Upgrade {
  readonly request: IncomingMessage
  readonly socket: Duplex
  /** The first bytes received after the headers of the upgrade request. */
  readonly head: Uint8Array
  /** What the caller may still use. */
  readonly budget: CallerLimits.Budget
}

/** Handler of the requests to one path. */
export interface Endpoint {
  /** Names of the JSON-RPC methods that it serves; undefined if it serves none, or forwards to another server. */
  readonly methods?: readonly string[]
  /** Units of each request on top of the units of every request; 0 by default, and for methods, which state their own units. */
  readonly units?: number
  handle(exchange: Exchange): void
  /**
   * Takes over the connection of an upgrade request. If this method is missing, the `Upgrade` header is
   * ignored.
   */
  upgrade?(upgrade: Upgrade): void
}

const NOSNIFF: readonly string[] = ['X-Content-Type-Options', 'nosniff']
const TEXT: readonly string[] = ['Content-Type', HttpRules.TEXT_TYPE]
/**
 * Maximum size in bytes of a response with a Content-Length. Longer responses are chunked, as in Go's server.
 */
const MAX_BUFFERED = 2048

/**
 * Sends a response with the headers of the exchange and the headers in `more`. Sends the bytes in `head`
 * before the body.
 * @example
 * ```ts
 * import { type Endpoint, Exchange, HttpRules } from '@firn/node-api'
 * import { exchange } from '@firn/rpc'
 *
 * const version: Endpoint = {
 *   handle(exchange) {
 *     Exchange.send(exchange, 200, ['Content-Type', HttpRules.JSON_TYPE], '{"version":"0.2.0"}')
 *   },
 * }
 * ```
 */
export function send(
  { request, response, headers }: Exchange,
  status: number,
  more: readonly string[],
  body: string | Uint8Array,
  head?: Uint8Array,
): void {
  if (response.writableEnded || response.destroyed) return
  const framing = request.httpVersionMajor > 1 ? [] : framingOf(body, head?.length ?? 0)
  if (request.httpVersionMajor > 1) {
    response.writeHead(status, grouped([...headers, ...more]))
  } else {
    // Go sends no Connection header on a keep-alive connection.
    if (response.shouldKeepAlive && request.httpVersionMinor > 0) response.removeHeader('connection')
    response.writeHead(status, [...headers, ...more, ...framing])
  }
  // The response is not corked, because Node.js would then send the final chunk before the last data.
  if (head !== undefined) response.write(head)
  response.end(body)
}

function framingOf(body: string | Uint8Array, before: number): readonly string[] {
  if (before + body.length > MAX_BUFFERED) return ['Transfer-Encoding', 'chunked']
  const length = before + (typeof body === 'string' ? Buffer.byteLength(body) : body.length)
  return length > MAX_BUFFERED ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', String(length)]
}

/** Converts a flat list of headers to an object, which HTTP/2 requires. */
function grouped(headers: readonly string[]): Record<string, string | string[]> {
  const values: Record<string, string | string[]> = {}
  for (let at = 0; at < headers.length; at += 2) {
    const [name, value] = [(headers[at] as string).toLowerCase(), headers[at + 1] as string]
    const before = values[name]
    values[name] = before === undefined ? value : [before, value].flat()
  }
  return values
}

/**
 * Ends the request with an HTTP error and a plain-text body.
 * @example
 * ```ts
 * import { type Endpoint, Exchange, HttpRules } from '@firn/node-api'
 * import { exchange } from '@firn/rpc'
 *
 * const hidden: Endpoint = {
 *   handle(exchange) {
 *     Exchange.refuse(exchange, HttpRules.NOT_FOUND)
 *   },
 * }
 * ```
 */
export function refuse(exchange: Exchange, { status, body }: HttpRules.Refusal): void {
  send(exchange, status, body === '' ? [] : [...TEXT, ...NOSNIFF], body)
}

/**
 * Ends the request with status 500 because of an unexpected error. Clients do not see the error; the server reports it.
 * @example
 * ```ts
 * import { type Endpoint, Exchange } from '@firn/node-api'
 *
 * declare const read: () => Promise<string>
 * const endpoint: Endpoint = {
 *   handle(exchange) {
 *     read().then(
 *       (text) => Exchange.text(exchange, 200, text),
 *       (error) => Exchange.fail(exchange, error),
 *     )
 *   },
 * }
 * ```
 */
export function fail(exchange: Exchange, error: unknown): void {
  exchange.onError?.(error)
  refuse(exchange, { status: 500, body: 'Internal Server Error\n' })
}

/**
 * Sends a plain-text response without X-Content-Type-Options, as the node's JSON-RPC endpoints do.
 * @example
 * ```ts
 * import { type Endpoint, Exchange } from '@firn/node-api'
 * import { exchange } from '@firn/rpc'
 *
 * const readOnly: Endpoint = {
 *   handle(exchange) {
 *     Exchange.text(exchange, 405, 'rpc: POST method required')
 *   },
 * }
 * ```
 */
export function text(exchange: Exchange, status: number, body: string): void {
  send(exchange, status, TEXT, body)
}

/**
 * Refuses a request of a caller that has used up its units. If the rest of its body may be long, closes the connection
 * instead of reading it.
 * @example
 * ```ts
 * import { type Endpoint, Exchange } from '@firn/node-api'
 *
 * const dear: Endpoint = {
 *   handle(exchange) {
 *     const waitMs = exchange.budget.take(1_000)
 *     if (waitMs > 0) Exchange.limit(exchange, waitMs)
 *     else Exchange.text(exchange, 200, 'done')
 *   },
 * }
 * ```
 */
export function limit(exchange: Exchange, waitMs: number): void {
  refuseUnread(exchange, limitRefusal(waitMs))
}

/** Maximum length in bytes of a body that is read and dropped, so that the connection can be used again. */
const MAX_DROPPED = 2 ** 17

function isLong(request: IncomingMessage): boolean {
  if (request.complete || request.httpVersionMajor > 1) return false
  return request.headers['transfer-encoding'] !== undefined || announcedLength(request) > MAX_DROPPED
}

/** Maximum size of a request body in bytes. The node has no limit, but Firn buffers the body in memory. */
export const MAX_BODY = 128 * 2 ** 20
/** Maximum total size of all unfinished request bodies of one server, in bytes. */
const MAX_BODIES = 256 * 2 ** 20

/** Number of bytes of incomplete request bodies that a server holds in memory. */
export interface BodyMemory {
  held: number
}

/**
 * Reads the request's body and passes it to `onBody`. Responds with 413 to a body that is too long, with 503 while the
 * server buffers too many bytes, and with 429 if the caller lacks the units for a body without an announced length, which
 * are taken as it arrives. The rest of a refused body is not read. A body that ends early is dropped without a response.
 * @example
 * ```ts
 * import { type Endpoint, Exchange } from '@firn/node-api'
 * import { exchange } from '@firn/rpc'
 *
 * const echo: Endpoint = {
 *   handle(exchange) {
 *     Exchange.readBody(exchange, (body) => Exchange.send(exchange, 200, [], body))
 *   },
 * }
 * ```
 */
export function readBody(exchange: Exchange, onBody: (body: Uint8Array) => void): void {
  const { request, bodies, budget } = exchange
  if (announcedLength(request) > MAX_BODY) {
    refuseUnread(exchange, TOO_LARGE)
    return
  }
  let chunks: Uint8Array[] = []
  let size = 0
  let paid = bodyUnits(announcedLength(request))
  let isRefused = false
  const release = () => {
    for (const chunk of chunks) bodies.held -= chunk.length
    chunks = []
  }
  const pay = () => {
    const due = Math.max(0, bodyUnits(size) - paid)
    paid += due
    const waitMs = budget.take(due)
    return waitMs > 0 ? limitRefusal(waitMs) : undefined
  }
  request.on('data', (chunk: Uint8Array) => {
    if (isRefused) return
    size += chunk.length
    const full = size > MAX_BODY ? TOO_LARGE : bodies.held + chunk.length > MAX_BODIES ? TOO_BUSY : undefined
    if (full !== undefined) budget.charge(bodyUnits(size) - paid)
    const refusal = full ?? pay()
    if (refusal !== undefined) {
      isRefused = true
      release()
      refuseUnread(exchange, refusal)
      return
    }
    chunks.push(chunk)
    bodies.held += chunk.length
  })
  request.on('close', release)
  request.on('end', () => {
    if (isRefused) return
    const body = chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks)
    release()
    onBody(body)
  })
}

/** Refuses a request before its body has arrived. Closes the connection if the rest of the body is long. */
function refuseUnread(exchange: Exchange, { status, body, headers = [] }: HttpRules.Refusal): void {
  const rest = isLong(exchange.request) ? ['Connection', 'close'] : []
  send(exchange, status, [...TEXT, ...NOSNIFF, ...headers, ...rest], body)
}

const TOO_LARGE: HttpRules.Refusal = { status: 413, body: 'http: request body too large\n' }
const TOO_BUSY: HttpRules.Refusal = {
  status: 503,
  body: 'too many large requests at the same time; try again later\n',
  headers: ['Retry-After', '1'],
}
