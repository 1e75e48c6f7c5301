import {
  createServer,
  type Server as Http1Server,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import {
  constants,
  createServer as createHttp2,
  createSecureServer as createSecureHttp2,
  type Http2SecureServer,
  type Http2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2'
import { createServer as createFront, type Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { ConnectionLimits, type Connections } from '@firn/http'

/** Maximum size of request headers in bytes, as in Go's server. */
const MAX_HEADER_SIZE = 2 ** 20
const MAX_STREAMS = 64
const SWEEP_MS = 20

/** Options of {@link create}. Times are in milliseconds. */
export interface Options {
  readonly connections: Connections.Connections
  /** Name of the listener in metrics. */
  readonly listener: string
  readonly tls?: { readonly key: string; readonly cert: string }
  readonly readTimeoutMs: number
  readonly readHeaderTimeoutMs: number
  readonly writeTimeoutMs: number
  readonly idleTimeoutMs: number
  readonly onUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
  readonly onClientError: (error: NodeJS.ErrnoException, socket: Duplex) => void
}

/** Handles a request of any version of HTTP. */
export type OnRequest = (request: IncomingMessage, response: ServerResponse) => void

/** The server that listens on the port, and the servers that handle its connections. */
export interface HttpServers {
  readonly front: Server
  readonly http1: Http1Server
  readonly http2: Http2Server | Http2SecureServer
}

/**
 * Creates the servers for HTTP/1 and HTTP/2. With TLS, ALPN selects the protocol; without TLS, the first
 * bytes of a connection select it.
 */
export function create(options: Options, onRequest: OnRequest): HttpServers {
  // An exchange uses only the part of the HTTP/2 objects that is compatible with HTTP/1.
  const onRequest2 = (request: Http2ServerRequest, response: Http2ServerResponse) => {
    limitTime(request, options.readTimeoutMs)
    onRequest(request as unknown as IncomingMessage, response as unknown as ServerResponse)
  }
  const settings = { maxConcurrentStreams: MAX_STREAMS }
  const http1 = createServer(http1Settings(options))
  http1.on('request', onRequest)
  options.connections.limitPipelining(http1, options.listener)
  // This server does not listen itself, but gets its connections from others. The event `listening` makes it enforce its
  // timeouts.
  http1.emit('listening')
  configure(http1, options)
  if (options.tls !== undefined) {
    const http2 = createSecureHttp2({ ...options.tls, minVersion: 'TLSv1.2', allowHTTP1: true, settings })
    http2.on('request', onRequest2)
    configure(http2 as unknown as Http1Server, options)
    return { front: http2, http1, http2 }
  }
  const http2 = createHttp2({ settings })
  http2.on('request', onRequest2)
  http2.on('session', (session) => session.setTimeout(options.idleTimeoutMs, () => session.destroy()))
  http2.on('sessionError', () => undefined)
  // A client may close its sending side and still wait for the response.
  const front = createFront({ allowHalfOpen: true }, (socket) =>
    tellApart(socket, http1, http2, options.readHeaderTimeoutMs),
  )
  return { front, http1, http2 }
}

/** Ends an HTTP/2 request whose body does not arrive in time. Node.js does so only for HTTP/1, also on the same port. */
function limitTime({ stream, httpVersionMajor }: Http2ServerRequest, readTimeoutMs: number): void {
  if (httpVersionMajor < 2 || stream.endAfterHeaders) return
  const timer = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), readTimeoutMs).unref()
  for (const event of ['end', 'close']) stream.once(event, () => clearTimeout(timer))
}

function http1Settings(options: Options) {
  return {
    maxHeaderSize: MAX_HEADER_SIZE,
    requestTimeout: options.readTimeoutMs,
    headersTimeout: options.readHeaderTimeoutMs,
    keepAliveTimeout: options.idleTimeoutMs,
    connectionsCheckingInterval: ConnectionLimits.SERVER_OPTIONS.connectionsCheckingInterval,
    /**
     * Returns whether the upgrade is to a WebSocket. By default, Node.js would also accept `Upgrade: h2c`,
     * which some clients send.
     */
    shouldUpgradeCallback: isWebsocket,
  }
}

function configure(server: Http1Server, options: Options): void {
  Object.assign(server, http1Settings(options))
  server.setTimeout(options.readTimeoutMs + options.writeTimeoutMs)
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
    options.onUpgrade(request, socket, head),
  )
  server.on('clientError', options.onClientError)
}

/**
 * Forwards a connection to the HTTP/1 or the HTTP/2 server, depending on its first bytes. HTTP/2 starts with
 * a request line that is invalid in HTTP/1.
 */
function tellApart(socket: Socket, http1: Http1Server, http2: Http2Server, patienceMs: number): void {
  const destroy = () => socket.destroy()
  socket.on('error', destroy)
  socket.on('end', destroy)
  socket.setTimeout(patienceMs, destroy)
  socket.once('data', (chunk: Buffer) => {
    socket.pause()
    for (const event of ['error', 'end', 'timeout']) socket.off(event, destroy)
    socket.setTimeout(0)
    socket.unshift(chunk)
    const isHttp2 = chunk.subarray(0, 4).toString('latin1') === 'PRI '
    ;(isHttp2 ? http2 : http1).emit('connection', socket)
    if (!isHttp2) socket.resume()
  })
}

function isWebsocket(request: IncomingMessage): boolean {
  return (request.headers.upgrade ?? '').toLowerCase() === 'websocket'
}

/** Closes the servers, and after `graceMs` the connections. */
export async function close(
  { front, http1, http2 }: HttpServers,
  sockets: ReadonlySet<Socket>,
  graceMs: number,
): Promise<void> {
  if (!front.listening) return
  const closed = new Promise<void>((settle) => front.close(() => settle()))
  // A keep-alive connection becomes idle only after its last response, and would then wait for another
  // request. Therefore, idle connections are closed repeatedly until the server is closed.
  const sweep = setInterval(() => http1.closeIdleConnections(), SWEEP_MS)
  if (front !== http2) http2.close()
  const impatience = setTimeout(() => {
    for (const socket of sockets) socket.destroy()
  }, graceMs)
  await closed
  clearInterval(sweep)
  http1.close(() => undefined)
  clearTimeout(impatience)
}
