import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Duplex } from 'node:stream'
import { SocketEnd } from '@firn/http'
import { isActing } from '@firn/rpc'
import type { Logger } from '@firn/runtime'
import * as Exchange from './Exchange.ts'
import { NodeError } from './NodeError.ts'
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
        void forward(exchange, path, body, upstream).catch((error: unknown) => {
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
  path: string,
  body: Uint8Array,
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
    isOnce: mayChangeState(body),
    signal: gone.signal,
  })
  response.off('close', onClose)
  const kept = Object.entries(ANSWER_HEADERS).flatMap(([name, written]) => {
    const value = answer.headers[name]
    return value === undefined ? [] : [written, value]
  })
  Exchange.send(exchange, answer.status, kept, answer.body)
}

const METHOD = /"method"\s*:\s*"([^"]*)"/g

/**
 * Returns whether a JSON-RPC body may contain a call that must not run twice, such as `eth_sendRawTransaction`. Names
 * with escaped characters count as such calls.
 */
function mayChangeState(body: Uint8Array): boolean {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1')
  for (const [, method = ''] of text.matchAll(METHOD)) {
    if (isActing(method) || method.includes('\\')) return true
  }
  return false
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
 * closes, both connections are closed.
 */
function tunnel(
  { request, socket, head }: Exchange.Upgrade,
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
    if (head.length > 0) far.write(head)
    join(socket, far)
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

function join(near: Duplex, far: Duplex): void {
  near.pipe(far)
  far.pipe(near)
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    one.on('error', () => one.destroy())
    one.on('close', () => other.destroy())
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
