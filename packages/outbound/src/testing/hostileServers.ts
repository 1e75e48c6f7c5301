import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { CERTIFICATE, KEY } from './testCertificate.ts'

/** The loopback address that tests treat as public. The usual checks apply to all other addresses. */
export const PUBLIC = '127.0.0.2'
/** A valid metadata document. */
export const GOOD = JSON.stringify({ name: 'Token', image: 'ipfs://x/1.png' })

/** Handles a request. A route uses `socket` to send bytes that Node's server would not send. */
type Route = (response: ServerResponse, socket: Socket, servers: HostileServers) => void

export interface HostileServers {
  /**
   * Ports of the HTTP and TLS servers at the public address, and of the internal server at 127.0.0.1 and ::1,
   * which a fetch must never reach.
   */
  readonly ports: { readonly http: number; readonly https: number; readonly inside: number }
  /** Returns the number of connections that reached the internal server. */
  readonly reached: () => number
  /** Requests that reached the public servers. */
  readonly requests: readonly Pick<IncomingMessage, 'url' | 'headers'>[]
  close(): Promise<void>
}

const send =
  (body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}, status = 200): Route =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
  }

/** Returns a route that sends bytes unchanged on the socket. */
const raw =
  (...parts: readonly (string | Uint8Array)[]): Route =>
  (_response, socket) => {
    for (const part of parts) socket.write(part)
    socket.end()
  }

/**
 * Returns a route that sends the same bytes endlessly: at an interval in milliseconds or, without one, as
 * fast as the client accepts them.
 */
const endless =
  (head: string, part: string | Uint8Array, everyMs?: number): Route =>
  (_response, socket) => {
    socket.write(head)
    if (everyMs !== undefined) {
      const timer = setInterval(() => socket.write(part), everyMs)
      return void socket.once('close', () => clearInterval(timer))
    }
    const pour = () => {
      while (!socket.destroyed && socket.write(part));
    }
    socket.on('drain', pour)
    pour()
  }

const redirect =
  (to: string | ((servers: HostileServers) => string), status = 302): Route =>
  (response, _socket, servers) => {
    response
      .writeHead(status, { location: typeof to === 'string' ? to : to(servers), 'set-cookie': 'a=b' })
      .end()
  }

const OK = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`
const zeros = new Uint8Array(100 * 1_048_576)
const gzipBomb = gzipSync(zeros)
// With the default quality, the compression would take several seconds.
const brotliBomb = brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } })
const inside = (host: string) => (servers: HostileServers) => `http://${host}:${servers.ports.inside}/`

/** Routes of the hostile server, by path. */
const ROUTES: Readonly<Record<string, () => Route>> = {
  good: () => send(GOOD),
  'good-gzip': () => send(gzipSync(GOOD), { 'content-encoding': 'gzip' }),
  'good-brotli': () => send(brotliCompressSync(GOOD), { 'content-encoding': 'br' }),
  'good-chunks': () => raw(CHUNKED, ...[...GOOD].map((char) => `1\r\n${char}\r\n`), '0\r\n\r\n'),
  silent: () => () => {},
  'drip-headers': () => endless(OK, 'x-drip: x\r\n', 30),
  'drip-body': () => endless(`${OK}\r\n`, ' ', 30),
  'informational-flood': () => endless('', 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n', 1),
  'endless-headers': () => endless(OK, `x: ${'y'.repeat(1_000)}\r\n`),
  'endless-header': () => endless(`${OK}x: `, 'y'.repeat(65_536)),
  'endless-body': () => endless(`${OK}\r\n`, zeros.subarray(0, 65_536)),
  'endless-chunks': () => endless(CHUNKED, '1\r\n \r\n'.repeat(1_000)),
  'endless-chunk-extension': () => endless(`${CHUNKED}1;`, 'x'.repeat(65_536)),
  'endless-trailers': () => endless(`${CHUNKED}1\r\n \r\n0\r\n`, 'x: y\r\n'.repeat(1_000)),
  'gzip-bomb': () => send(gzipBomb, { 'content-encoding': 'gzip' }),
  'brotli-bomb': () => send(brotliBomb, { 'content-encoding': 'br' }),
  'gzip-members': () => {
    const member = gzipSync(zeros.subarray(0, 1_048_576))
    return endless(`${OK}content-encoding: gzip\r\n\r\n`, member)
  },
  'gzip-of-nothing': () => endless(`${OK}content-encoding: gzip\r\n\r\n`, gzipSync('')),
  'gzip-twice': () => send(gzipSync(gzipBomb), { 'content-encoding': 'gzip, gzip' }),
  'gzip-broken': () => send('no gzip at all', { 'content-encoding': 'gzip' }),
  'gzip-cut': () => send(gzipSync(GOOD).subarray(0, 20), { 'content-encoding': 'gzip' }),
  'unknown-encoding': () => send(GOOD, { 'content-encoding': 'compress' }),
  'claims-more': () => raw(`${OK}content-length: 1000\r\n\r\n${GOOD}`),
  'claims-10-GB': () => raw(`${OK}content-length: 10000000000\r\n\r\n`, zeros.subarray(0, 1_000)),
  'claims-less': () =>
    endless(`${OK}content-length: ${GOOD.length}\r\n\r\n${GOOD}`, zeros.subarray(0, 65_536)),
  'claims-nonsense': () => raw(`${OK}content-length: -1\r\n\r\n${GOOD}`),
  'claims-twice': () => raw(`${OK}content-length: 5\r\ncontent-length: ${GOOD.length}\r\n\r\n${GOOD}`),
  'claims-both': () => raw(`${OK}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
  'no-http': () => raw('SSH-2.0-OpenSSH_9.9\r\n'),
  'breaks-off': () => (_response, socket) => void socket.destroy(),
  'breaks-off-late': () => (_response, socket) =>
    void socket.write(`${CHUNKED}5\r\n{"nam`, () => socket.destroy()),
  upgrade: () => raw('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
  'status-204': () => send('', {}, 204),
  'status-206': () => send(GOOD, {}, 206),
  'status-404': () => send(GOOD, {}, 404),
  'status-500': () => send(GOOD, {}, 500),
  'status-503': () => send(GOOD, {}, 503),
  'status-429': () => send('slow down', { 'retry-after': '120' }, 429),
  'status-429-bare': () => send('slow down', {}, 429),
  'status-503-later': () => send('', { 'retry-after': new Date(Date.now() + 300_000).toUTCString() }, 503),
  html: () => send('<!doctype html><p>Not found</p>', { 'content-type': 'text/html' }),
  'html-good': () => send(GOOD, { 'content-type': 'text/html; charset=utf-8' }),
  picture: () => send(GOOD, { 'content-type': 'image/png' }),
  'event-stream': () =>
    endless('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n', 'data: x\n\n', 30),
  'lying-type': () => send(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0)),
  'no-type': () => raw(`HTTP/1.1 200 OK\r\ncontent-length: ${GOOD.length}\r\n\r\n${GOOD}`),
  empty: () => send(''),
  'json-deep': () => send(`{"name":${'['.repeat(400_000)}${']'.repeat(400_000)}}`),
  'json-deep-open': () => send('['.repeat(1_000_000)),
  'json-100-MB': () => endless(`${OK}\r\n{"name":"`, 'x'.repeat(65_536)),
  'json-array': () => send('[1]'),
  'json-error': () => send('{"error":"no such token"}'),
  'json-nul': () => send('{"name":"a\\u0000b","attributes":[{"value":"\\u0000"}]}'),
  loop: () => redirect('/loop'),
  'loop-two': () => redirect('/loop-three'),
  'loop-three': () => redirect('/loop-two', 307),
  'chain-1': () => redirect('/good', 301),
  'chain-2': () => redirect('chain-1', 303),
  'chain-3': () => redirect('./chain-2', 308),
  'redirect-garbage': () => redirect('http://[/'),
  'redirect-bare': () => (response) => void response.writeHead(302).end(),
  'redirect-file': () => redirect('file:///etc/passwd'),
  'redirect-ftp': () => redirect('ftp://public.test/'),
  'redirect-data': () => redirect(`data:application/json,${GOOD}`),
  'redirect-gopher': () => redirect('gopher://127.0.0.1:6379/_FLUSHALL'),
  'redirect-credentials': () =>
    redirect(({ ports }) => `http://user:password@public.test:${ports.http}/good`),
  'redirect-port': () => redirect('http://public.test:22/'),
  'redirect-loopback': () => redirect(inside('127.0.0.1')),
  'redirect-localhost': () => redirect(inside('localhost.test')),
  'redirect-decimal': () => redirect(inside('2130706433')),
  'redirect-octal': () => redirect(inside('0177.0.0.01')),
  'redirect-hex': () => redirect(inside('0x7f.1')),
  'redirect-wide-digits': () => redirect(inside(encodeURI('１２７.０.０.１'))),
  'redirect-any': () => redirect(inside('0.0.0.0')),
  'redirect-ipv6': () => redirect(inside('[::1]')),
  'redirect-ipv6-mapped': () => redirect(inside('[::ffff:127.0.0.1]')),
  'redirect-nat64': () => redirect(inside('[64:ff9b::7f00:1]')),
  'redirect-cloud': () => redirect(({ ports }) => `http://169.254.169.254:${ports.http}/latest/meta-data/`),
  'redirect-rebound': () => redirect(({ ports }) => `http://rebinds.test:${ports.http}/good`),
  'redirect-same-host': () => redirect(({ ports }) => `http://public.test:${ports.inside}/`),
}

/** Starts the hostile servers on free ports. */
export async function startHostileServers(): Promise<HostileServers> {
  const requests: IncomingMessage[] = []
  let reached = 0
  const made = new Map<string, Route>()
  const routeOf = (path: string): Route => {
    const route = made.get(path) ?? (ROUTES[path] ?? (() => send('', {}, 404)))()
    made.set(path, route)
    return route
  }
  const answer: RequestListener = (request, response) => {
    requests.push(request)
    // Clients often break the connection, which must not be reported as an error.
    request.socket.on('error', () => {})
    routeOf(request.url?.slice(1).split('?')[0] ?? '')(response, request.socket, servers)
  }
  const listen = async (server: Server, host: string, port = 0): Promise<number> => {
    await new Promise<void>((settle) => server.listen(port, host, settle))
    return (server.address() as AddressInfo).port
  }
  const http = createServer(answer)
  const https = createSecureServer({ key: KEY, cert: CERTIFICATE }, answer)
  const within = [createServer(), createServer()]
  for (const server of within) server.on('connection', () => reached++)
  const ports = {
    http: await listen(http, PUBLIC),
    https: await listen(https, PUBLIC),
    inside: await listen(within[0] as Server, '127.0.0.1'),
  }
  await listen(within[1] as Server, '::1', ports.inside).catch(() => {})
  const servers: HostileServers = {
    ports,
    reached: () => reached,
    requests,
    async close() {
      for (const server of [http, https, ...within]) {
        server.closeAllConnections()
        await new Promise((settle) => server.close(settle))
      }
    },
  }
  return servers
}

/** All paths of the hostile servers. */
export const PATHS: readonly string[] = Object.keys(ROUTES)

/**
 * Creates a resolver that behaves like hostile DNS servers. The name `rebinds.test` has a public address on
 * the first lookup and an internal one afterwards.
 */
export function hostileNames(): (hostname: string) => Promise<readonly string[]> {
  const asked = new Map<string, number>()
  const names: Readonly<Record<string, readonly (readonly string[])[]>> = {
    'public.test': [[PUBLIC]],
    'also.test': [[PUBLIC]],
    'other.test': [[PUBLIC]],
    'rebinds.test': [[PUBLIC], ['127.0.0.1']],
    'mixed.test': [[PUBLIC, '127.0.0.1']],
    'mixed-late.test': [[...Array<string>(50).fill(PUBLIC), '10.0.0.1']],
    'localhost.test': [['127.0.0.1']],
    'private.test': [['192.168.1.1']],
    'cloud.test': [['169.254.169.254']],
    'ipv6.test': [['::1']],
    'mapped.test': [['::ffff:127.0.0.1']],
    'nonsense.test': [['localhost']],
  }
  return async (full) => {
    // Tests that need a separate host for each token add a prefix such as `t1.` to the name.
    const hostname = full.replace(/^t\d+\./, '')
    const turn = asked.get(hostname) ?? 0
    asked.set(hostname, turn + 1)
    const answers = names[hostname] ?? [[]]
    return answers[Math.min(turn, answers.length - 1)] ?? []
  }
}
