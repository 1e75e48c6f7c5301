import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { type Duplex, Transform, type TransformCallback } from 'node:stream'
import { SocketEnd } from '@firn/http'
import { isActing } from '@firn/rpc'
import type { Logger } from '@firn/runtime'
import type { Budget } from './CallerLimits.ts'
import * as Exchange from './Exchange.ts'
import { tunnelUnits } from './internal/sizes.ts'
import { NodeError } from './NodeError.ts'
import * as Units from './Units.ts'
import type { Upstream } from './Upstream.ts'

/** Options of {@link create}. */
export interface PassThroughOptions {
  readonly upstream: Upstream | undefined
  readonly log: Logger
}

/**
 * Request headers that are forwarded. All other headers belong to a single connection or are set by this
 * server.
 */
const REQUEST_HEADERS = ['content-type', 'accept']
const ANSWER_HEADERS = {
  'content-type': 'Content-Type',
  // The upstream sends this header in response to a request for a websocket path without an upgrade.
  'sec-websocket-version': 'Sec-Websocket-Version',
  'x-content-type-options': 'X-Content-Type-Options',
}

/** Time for the upstream to answer the handshake of a WebSocket, in milliseconds. */
const HANDSHAKE_MS = 10_000
const NO_UPSTREAM = 'This path needs an upstream node. Start with --upstream.\n'

/**
 * Returns an endpoint that forwards requests to `path` of the upstream and returns the responses byte for
 * byte. WebSocket connections are tunnelled.
 */
export function create(path: string, { upstream, log }: PassThroughOptions): Exchange.Endpoint {
  if (upstream === undefined) {
    return { handle: (exchange) => Exchange.refuse(exchange, { status: 503, body: NO_UPSTREAM }) }
  }
  return {
    handle(exchange) {
      Exchange.readBody(exchange, (body) => {
        const { count, isOnce } = readCalls(body)
        const waitMs = exchange.budget.take(Units.FORWARDED * count)
        if (waitMs > 0) return Exchange.limit(exchange, waitMs)
        void forward(exchange, { path, body, isOnce }, upstream).catch((error: unknown) => {
          log.warn({ err: error, path }, 'cannot forward a request')
          Exchange.refuse(exchange, { status: 502, body: `${messageOf(error)}\n` })
        })
      })
    },
    upgrade: (upgrade) => tunnel(upgrade, path, upstream, log),
  }
}

async function forward(
  exchange: Exchange.Exchange,
  { path, body, isOnce }: { readonly path: string; readonly body: Uint8Array; readonly isOnce: boolean },
  upstream: Upstream,
): Promise<void> {
  const { request, response } = exchange
  const gone = new AbortController()
  const onClose = () => gone.abort()
  response.on('close', onClose)
  const { method = 'POST' } = request
  const headers = pick(request.headers, REQUEST_HEADERS)
  const answer = await upstream.call(path + queryOf(request.url), body, {
    method,
    headers,
    isOnce,
    signal: gone.signal,
  })
  response.off('close', onClose)
  const kept = Object.entries(ANSWER_HEADERS).flatMap(([name, written]) => {
    const value = answer.headers[name]
    return value === undefined ? [] : [written, value]
  })
  Exchange.send(exchange, answer.status, kept, answer.body)
}

const METHOD = /"method"\s*:\s*"([^"]*)"/gi

/**
 * Returns how many calls a JSON-RPC body may contain, and whether one of them must not run twice. The body is not parsed:
 * the upstream does that. Names with escaped characters count as such calls, and each object as a call if member names
 * may be escaped.
 */
function readCalls(body: Uint8Array): { readonly count: number; readonly isOnce: boolean } {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1')
  const methods = Array.from(text.matchAll(METHOD), ([, method = '']) => method)
  const isEscaped = text.includes('\\u')
  const most = isEscaped ? text.split('{').length - 1 : methods.length
  return { count: Math.max(1, most), isOnce: methods.some(mayChangeState) }
}

/** Returns whether a call must not run twice, such as `eth_sendRawTransaction`. */
function mayChangeState(method: string): boolean {
  return isActing(method) || method.includes('\\')
}

function queryOf(url = ''): string {
  const mark = url.indexOf('?')
  return mark < 0 ? '' : url.slice(mark)
}

function pick(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  names: readonly string[],
): Record<string, string> {
  const picked: Record<string, string> = {}
  for (const name of names) {
    const value = headers[name]
    if (typeof value === 'string') picked[name] = value
  }
  return picked
}

/** Headers of a websocket handshake. */
const WEBSOCKET_HEADERS = [
  'connection',
  'upgrade',
  'sec-websocket-key',
  'sec-websocket-version',
  'sec-websocket-protocol',
  'sec-websocket-extensions',
]

/**
 * Opens a websocket to the same path of the upstream and forwards data in both directions. When either side
 * closes, both connections are closed. The caller pays for the bytes in both directions, and is read more slowly when its
 * units are used up.
 */
function tunnel(
  { request, socket, head, budget }: Exchange.Upgrade,
  path: string,
  upstream: Upstream,
  log: Logger,
): void {
  const [target] = upstream.targets(path)
  if (target === undefined) return void socket.destroy()
  if ('setTimeout' in socket && typeof socket.setTimeout === 'function') socket.setTimeout(0)
  const open = target.url.startsWith('https:') ? requestHttps : requestHttp
  const opening = open(target.url, {
    timeout: HANDSHAKE_MS,
    headers: { ...target.headers, ...pick(request.headers, WEBSOCKET_HEADERS) },
  })
  const abandon = () => opening.destroy()
  socket.on('close', abandon)
  opening.on('timeout', () =>
    opening.destroy(new NodeError('NODE_UPSTREAM', 'the node did not respond in time')),
  )
  opening.on('upgrade', (answer, far, farHead) => {
    far.setTimeout(0)
    socket.off('close', abandon)
    socket.write(statusAndHeaders(101, 'Switching Protocols', answer.rawHeaders))
    if (farHead.length > 0) socket.write(farHead)
    budget.charge(tunnelUnits(head.length))
    if (head.length > 0) far.write(head)
    join(socket, far, budget)
  })
  opening.on('response', (answer) => {
    socket.off('close', abandon)
    socket.write(
      statusAndHeaders(answer.statusCode ?? 502, answer.statusMessage ?? '', ['Connection', 'close']),
    )
    answer.pipe(socket)
  })
  opening.on('error', (error) => {
    if (socket.destroyed) return
    log.warn({ err: error, path }, 'cannot forward a websocket')
    SocketEnd.send(socket, statusAndHeaders(502, 'Bad Gateway', ['Connection', 'close']))
  })
  opening.end()
}

function statusAndHeaders(status: number, reason: string, headers: readonly string[]): string {
  let text = `HTTP/1.1 ${status} ${reason}\r\n`
  for (let at = 0; at < headers.length; at += 2) text += `${headers[at]}: ${headers[at + 1]}\r\n`
  return `${text}\r\n`
}

function join(near: Duplex, far: Duplex, budget: Budget): void {
  const pacer = createPacer(budget)
  near.pipe(pacer).pipe(far)
  far.pipe(near)
  far.on('data', (chunk: Uint8Array) => budget.charge(tunnelUnits(chunk.length)))
  near.on('close', () => pacer.destroy())
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    one.on('error', () => one.destroy())
    one.on('close', () => other.destroy())
  }
}

/** Returns a stream that passes bytes on when the caller has the units for them. */
function createPacer(budget: Budget): Duplex {
  let timer: NodeJS.Timeout | undefined
  const pass = (chunk: Uint8Array, done: TransformCallback) => {
    const waitMs = budget.take(tunnelUnits(chunk.length))
    if (waitMs === 0) done(null, chunk)
    else timer = setTimeout(() => pass(chunk, done), waitMs)
  }
  return new Transform({
    transform: (chunk: Uint8Array, _encoding, done) => pass(chunk, done),
    destroy(error, done) {
      clearTimeout(timer)
      done(error)
    },
  })
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
