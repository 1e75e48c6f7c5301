import { gzipSync } from 'node:zlib'
import type { Sent } from './Wire.ts'

/** A request without what makes it dear. For tests only. */
export interface Target {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Maximum size of the headers, in bytes. */
  readonly headerBytes: number
  /** What ends the exchange, if the answer does not end. */
  readonly until: Sent['until']
}

/** Makes a dear request from a target. For tests only. */
export type Shot = (target: Target) => Sent

/** Bytes of the request line and of the headers that each request has. */
const RESERVED = 1_024
const MIB = 2 ** 20

/** An ordinary request. For tests only. */
export const PLAIN: Shot = (target) => request(target)

/** Requests whose line or headers are dear, for all routes. For tests only. */
export const HEADS: Readonly<Record<string, Shot>> = {
  plain: (target) => PLAIN(target),
  'long path': (target) => request({ ...target, path: join(target.path, 'a'.repeat(room(target))) }),
  'escaped path': (target) => request({ ...target, path: join(target.path, '%41'.repeat(room(target) / 3)) }),
  'many parameters': (target) =>
    request({ ...target, path: `${target.path}?${filled(room(target), (index) => `a${index}=1&`)}` }),
  'repeated parameter': (target) =>
    request({ ...target, path: `${target.path}?${'pageSize=1&'.repeat(room(target) / 11)}` }),
  'long list in a parameter': (target) =>
    request({ ...target, path: `${target.path}?addresses=${'a,'.repeat(room(target) / 2)}` }),
  'long header': (target) => withHeader(target, 'x-a', 'a'.repeat(room(target))),
  'many headers': (target) =>
    request(
      target,
      filled(room(target), (index) => `a${index}: 1\r\n`),
    ),
  'long list of proxies': (target) =>
    withHeader(target, 'x-forwarded-for', `${'198.18.0.1, '.repeat(room(target) / 12)}198.19.0.1`),
  'long key': (target) => withHeader(target, 'x-data-api-key', 'a'.repeat(room(target))),
  'long list of encodings': (target) => withHeader(target, 'accept-encoding', 'a,'.repeat(room(target) / 2)),
  'long list of tags': (target) => withHeader(target, 'if-none-match', '"a",'.repeat(room(target) / 4)),
  'long list of types': (target) => withHeader(target, 'accept', 'a/a;q=0,'.repeat(room(target) / 8)),
  compressed: (target) => withHeader(target, 'accept-encoding', 'br, gzip'),
}

/** A body of a few bytes that becomes 64 MiB. */
const BOMB = gzipSync(Buffer.alloc(64 * MIB, '['))

/** Requests whose body is dear by how it is sent, for all routes. For tests only. */
export const SENDINGS: Readonly<Record<string, Shot>> = {
  'small chunks': (target) => {
    const chunks = Buffer.from(`1\r\n \r\n`.repeat(2 ** 12))
    return chunked(target, [chunks, Buffer.from('0\r\n\r\n')])
  },
  'compressed body': (target) =>
    withBody({ ...target, headers: { ...target.headers, 'content-encoding': 'gzip' } }, BOMB),
}

/** A chunked body that never ends. For tests only. */
export const ENDLESS: Shot = (target) => ({
  ...chunked(target, [Buffer.from(`10000\r\n${' '.repeat(2 ** 16)}\r\n`)]),
  isEndless: true,
})

/** Announces a body, and does not send it. For tests only. */
export const WITHHELD: Shot = (target) => request(target, json(2 ** 19))

/** Announces more than any server takes, and does not send it. For tests only. */
export const TOO_LARGE: Shot = (target) => request(target, json(2 ** 40))

/** Returns a request with a JSON body. For tests only. */
export function withBody(target: Target, body: string | Uint8Array): Sent {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  return { ...request(target, json(bytes.length)), body: [bytes] }
}

const UPGRADE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
}

/** Returns a request for a WebSocket that is followed by a message. For tests only. */
export function framed(target: Target, message: string): Sent {
  const bytes = Buffer.from(message)
  const start = Buffer.alloc(14)
  // A final text frame with a length of 8 bytes, masked with zeros.
  start.writeUInt16BE(0x81ff)
  start.writeBigUInt64BE(BigInt(bytes.length), 2)
  const upgrade = request({ ...target, method: 'GET', headers: { ...target.headers, ...UPGRADE } })
  return { ...upgrade, body: [start, bytes], until: 'frame' }
}

function json(bytes: number): string {
  return `content-type: application/json\r\ncontent-length: ${bytes}\r\n`
}

function chunked(target: Target, body: readonly Uint8Array[]): Sent {
  return {
    ...request(target, 'content-type: application/json\r\ntransfer-encoding: chunked\r\n'),
    body,
  }
}

function withHeader(target: Target, name: string, value: string): Sent {
  const { [name]: _, ...headers } = target.headers
  return request({ ...target, headers: { ...headers, [name]: value } })
}

function request({ method, path, headers, until }: Target, more = ''): Sent {
  const lines = Object.entries({ host: '127.0.0.1', connection: 'close', ...headers })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return { head: `${method} ${path} HTTP/1.1\r\n${head}${more}\r\n`, body: [], ...(until && { until }) }
}

function room({ headerBytes }: Target): number {
  return headerBytes - RESERVED
}

function join(path: string, more: string): string {
  return `${path}${path.endsWith('/') ? '' : '/'}${more}`
}

function filled(bytes: number, part: (index: number) => string): string {
  const parts: string[] = []
  for (let size = 0; size < bytes - 16; size += (parts.at(-1) ?? '').length) parts.push(part(parts.length))
  return parts.join('')
}
