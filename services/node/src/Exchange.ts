import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { HttpRules } from '@firn/rpc'

/** One request and what is said to it. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Headers that go with every answer, as a flat list of names and values. */
  readonly headers: readonly string[]
}

/** A socket that is no longer HTTP. */
export interface Upgrade {
  readonly request: IncomingMessage
  readonly socket: Duplex
  /** The first bytes that came after the request. */
  readonly head: Uint8Array
}

/** Answers the requests of a path. */
export interface Endpoint {
  handle(exchange: Exchange): void
  /** Takes a connection over; without it, `Upgrade` is ignored. */
  upgrade?(upgrade: Upgrade): void
}

const NOSNIFF: readonly string[] = ['X-Content-Type-Options', 'nosniff']
const TEXT: readonly string[] = ['Content-Type', HttpRules.TEXT_TYPE]
/** As Go's server: shorter answers tell their length, longer ones come in chunks. */
const MAX_BUFFERED = 2048

/** Sends an answer with these headers beside the exchange's; `head` goes before the body. */
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
    // Go says nothing of a connection that stays open.
    if (response.shouldKeepAlive && request.httpVersionMinor > 0) response.removeHeader('connection')
    response.writeHead(status, [...headers, ...more, ...framing])
  }
  // Not corked: Node then ends the chunks before the last of them.
  if (head !== undefined) response.write(head)
  response.end(body)
}

function framingOf(body: string | Uint8Array, before: number): readonly string[] {
  if (before + body.length > MAX_BUFFERED) return ['Transfer-Encoding', 'chunked']
  const length = before + (typeof body === 'string' ? Buffer.byteLength(body) : body.length)
  return length > MAX_BUFFERED ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', String(length)]
}

/** HTTP/2 takes an object. */
function grouped(headers: readonly string[]): Record<string, string | string[]> {
  const values: Record<string, string | string[]> = {}
  for (let at = 0; at < headers.length; at += 2) {
    const [name, value] = [(headers[at] as string).toLowerCase(), headers[at + 1] as string]
    const before = values[name]
    values[name] = before === undefined ? value : [before, value].flat()
  }
  return values
}

/** Sends a plain text that ends the request: an error of HTTP, not of a method. */
export function refuse(exchange: Exchange, { status, body }: HttpRules.Refusal): void {
  send(exchange, status, body === '' ? [] : [...TEXT, ...NOSNIFF], body)
}

/** Sends a plain text as the node's JSON-RPC endpoints do: sniffing is not spoken of. */
export function text(exchange: Exchange, status: number, body: string): void {
  send(exchange, status, TEXT, body)
}

/** A body above this is refused; the node has no limit, but a body here is held in memory. */
export const MAX_BODY = 32 * 2 ** 20

/** Reads the request's body; a request that ends early is never heard of again. */
export function readBody(exchange: Exchange, onBody: (body: Uint8Array) => void): void {
  const { request } = exchange
  const chunks: Uint8Array[] = []
  let size = 0
  request.on('data', (chunk: Uint8Array) => {
    size += chunk.length
    if (size <= MAX_BODY) chunks.push(chunk)
  })
  request.on('end', () => {
    if (size > MAX_BODY) refuse(exchange, { status: 413, body: 'http: request body too large\n' })
    else onBody(chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks))
  })
}
