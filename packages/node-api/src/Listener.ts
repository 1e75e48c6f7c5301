import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type BoundPort, type Connections, SocketEnd } from '@firn/http'
import { Console, Operators } from '@firn/operate'
import * as CallerLimits from './CallerLimits.ts'
import * as Exchange from './Exchange.ts'
import * as HttpRules from './HttpRules.ts'
import * as HttpServers from './internal/HttpServers.ts'
import { limitRefusal } from './internal/limitRefusal.ts'
import { announcedLength, bodyUnits } from './internal/sizes.ts'
import type { Route, Routes } from './Routes.ts'
import * as Units from './Units.ts'

/** Options of the server. Times are in milliseconds. */
export interface ListenerOptions {
  readonly routes: Routes
  readonly rules: HttpRules.Rules
  /** Returns the endpoint for a path that has no route; undefined to respond with a plain 404. */
  readonly fallback?: (path: string) => Exchange.Endpoint | undefined
  /** Limits of the connections. Their time limits apply where the times below do not. */
  readonly connections: Connections.Connections
  /** Limits of callers; by default none. */
  readonly limits?: CallerLimits.CallerLimits
  readonly readTimeoutMs: number
  readonly readHeaderTimeoutMs: number
  readonly writeTimeoutMs: number
  readonly idleTimeoutMs: number
  /** TLS key and certificate as PEM; undefined for plain HTTP. */
  readonly tls?: { readonly key: string; readonly cert: string }
  /**
   * Called with the base path (such as `bc/P`) of each routed request. The returned function is called after
   * the response.
   */
  readonly observe?: (base: string) => () => void
  /** Called with the error of an endpoint that fails instead of answering, which is a defect. The answer is 500. */
  readonly onError?: (error: unknown) => void
}

/** An HTTP server. */
export interface Listener {
  /** Starts listening on a bound port and returns the server's URL. */
  listen(port: BoundPort.BoundPort): Promise<string>
  /** Answers HTTP/1.1 without TLS on a connection that another server has accepted, such as one on a Unix socket. */
  accept(socket: Socket): void
  /** Stops listening; requests in progress get `graceMs` milliseconds to finish. */
  close(graceMs: number): Promise<void>
}

const MAX_MEMORIZED = 1_000
/** Longest request target that is kept. Targets may have a megabyte. */
const LONGEST_MEMORIZED = 256
/** Name of the port in metrics. */
const LISTENER = 'api'
const ROUTE_HEADER = 'avalanche-api-route'

/**
 * Creates a server that applies a node's HTTP rules to the routes. It speaks HTTP/1.1 and HTTP/2. Without TLS, HTTP/2
 * clients need prior knowledge (RFC 9113).
 * @example
 * ```ts
 * import { Connections } from '@firn/http'
 * import { createListener, createRoutes, HttpRules } from '@firn/node-api'
 *
 * const server = createListener({
 *   routes: createRoutes(),
 *   rules: HttpRules.create({ nodeId: 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg' }),
 *   connections: Connections.create({ service: 'node', prefix: 'node' }),
 *   ...{ readTimeoutMs: 30_000, readHeaderTimeoutMs: 30_000 },
 *   ...{ writeTimeoutMs: 30_000, idleTimeoutMs: 120_000 },
 * })
 * await server.close(1_000)
 * ```
 */
export function createListener(options: ListenerOptions): Listener {
  const dispatch = createDispatcher(options)
  let isClosing = false
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) =>
    upgrade(options, request, socket, head)
  const http = { ...options, listener: LISTENER, onUpgrade, onClientError: clientError }
  const servers = HttpServers.create(http, (request, response) => {
    if (isClosing) response.shouldKeepAlive = false
    try {
      dispatch(request, response)
    } catch (error) {
      // Nobody catches what a request listener throws, so one request would end the process.
      options.onError?.(error)
      if (!response.headersSent) response.statusCode = 500
      response.end()
    }
  })
  const sockets = new Set<Socket>()
  servers.front.on('connection', (socket: Socket) => {
    socket.setNoDelay(true)
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  return {
    async listen(port) {
      await port.serve(servers.front, {
        connections: options.connections,
        listener: LISTENER,
        closeIdle: () => servers.http1.closeIdleConnections(),
      })
      return options.tls === undefined ? port.url : port.url.replace(/^http:/, 'https:')
    },
    accept: (socket) => void servers.http1.emit('connection', socket),
    close: (graceMs) => {
      isClosing = true
      return HttpServers.close(servers, sockets, graceMs)
    },
  }
}

type OnRequest = HttpServers.OnRequest

function createDispatcher(options: ListenerOptions): OnRequest {
  const { routes, rules, fallback, observe } = options
  const resolve = createRouteMemory(routes)
  const bodies: Exchange.BodyMemory = { held: 0 }
  return (request, response) => {
    const { headers, refusal } = rules.judge(headOf(request))
    const found = resolve(request.url ?? '/')
    const admitted = admit(options, request, found)
    const budget = 'take' in admitted ? admitted : CallerLimits.UNLIMITED
    const exchange = { request, response, headers, bodies, budget, onError: options.onError }
    if ('waitMs' in admitted) return Exchange.limit(exchange, admitted.waitMs)
    if ('status' in admitted) return Exchange.refuse(exchange, admitted)
    if (refusal !== undefined) return Exchange.refuse(exchange, refusal)
    if (request.headers[ROUTE_HEADER] !== undefined)
      return Exchange.refuse(exchange, { status: 404, body: '' })
    if (found !== undefined) {
      if (observe !== undefined) response.on('close', observe(found.base))
      return found.endpoint.handle(exchange)
    }
    dispatchOther(exchange, fallback)
  }
}

/** Base paths for load balancers, monitoring and operators, who may reach the server without its proxies. */
const DIRECT: readonly (string | undefined)[] = ['health', 'metrics', 'admin']

function isDirect({ url = '/' }: IncomingMessage, found: Route | undefined): boolean {
  const [path = ''] = url.split('?')
  return DIRECT.includes(found?.base) || Operators.isPath(path) || Console.isPath(path)
}

/** Returns the budget of a request's caller after the least cost of the request, or the time to wait or a refusal. */
function admit(
  { limits = CallerLimits.NONE }: ListenerOptions,
  request: IncomingMessage,
  found: Route | undefined,
): CallerLimits.Budget | { readonly waitMs: number } | HttpRules.Refusal {
  const budget = limits.find(request, isDirect(request, found))
  if (!('take' in budget)) return budget
  const body = bodyUnits(announcedLength(request))
  const waitMs = budget.take(Units.REQUEST + body + (found?.endpoint.units ?? 0))
  return waitMs === 0 ? budget : { waitMs }
}

/** Returns the head of a request. HTTP/2 requests have `:authority` instead of a `Host` header. */
function headOf(request: IncomingMessage): HttpRules.Head {
  const { method = '', headers } = request
  if (request.httpVersionMajor < 2) return { method, headers }
  return { method, headers: { ...headers, host: headers.host ?? String(headers[':authority'] ?? '') } }
}

/**
 * Returns a lookup of routes by request target. It caches routes until the routing table changes, because
 * most requests use few targets.
 */
function createRouteMemory(routes: Routes): (url: string) => Route | undefined {
  const known = new Map<string, Route>()
  let version = routes.version
  return (url) => {
    if (version !== routes.version) {
      known.clear()
      version = routes.version
    }
    const before = known.get(url)
    if (before !== undefined) return before
    const target = HttpRules.targetOf(url)
    const found = target !== undefined && 'path' in target ? routes.find(target.path) : undefined
    const isKept = url.length <= LONGEST_MEMORIZED && known.size < MAX_MEMORIZED
    if (found !== undefined && isKept) known.set(url, found)
    return found
  }
}

function dispatchOther(exchange: Exchange.Exchange, fallback: ListenerOptions['fallback']): void {
  const target = HttpRules.targetOf(exchange.request.url ?? '/')
  if (target === undefined) Exchange.text(exchange, 400, '400 Bad Request')
  else if ('location' in target) Exchange.send(exchange, 301, ['Location', target.location], '')
  else {
    const endpoint = fallback?.(target.path) ?? NOWHERE
    const waitMs = exchange.budget.take(endpoint.units ?? 0)
    if (waitMs > 0) Exchange.limit(exchange, waitMs)
    else endpoint.handle(exchange)
  }
}

const NOWHERE: Exchange.Endpoint = { handle: (exchange) => Exchange.refuse(exchange, HttpRules.NOT_FOUND) }

function upgrade(options: ListenerOptions, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { routes, rules, fallback } = options
  socket.on('error', () => socket.destroy())
  const { refusal } = rules.judge(headOf(request))
  const target = HttpRules.targetOf(request.url ?? '/')
  const path = target !== undefined && 'path' in target ? target.path : ''
  const found = routes.find(path)
  const admitted = admit(options, request, found)
  const endpoint = found?.endpoint ?? fallback?.(path)
  if ('waitMs' in admitted) {
    const { body, headers } = limitRefusal(admitted.waitMs)
    refuseSocket(socket, '429 Too Many Requests', body, headers)
  } else if ('status' in admitted) refuseSocket(socket, '400 Bad Request', admitted.body)
  else if (refusal !== undefined) refuseSocket(socket, `${refusal.status} Forbidden`, refusal.body)
  else if (endpoint === undefined) refuseSocket(socket, '404 Not Found', HttpRules.NOT_FOUND.body)
  else if (endpoint.upgrade === undefined) refuseSocket(socket, '400 Bad Request', 'Bad Request\n')
  else endpoint.upgrade({ request, socket, head, budget: admitted })
}

/**
 * Responds to an invalid request as Go's server does. Sends nothing if the client was too slow or has
 * disconnected.
 */
function clientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code?.startsWith('HPE_') !== true) {
    socket.destroy()
    return
  }
  const isLong = error.code === 'HPE_HEADER_OVERFLOW'
  const status = isLong ? '431 Request Header Fields Too Large' : '400 Bad Request'
  refuseSocket(socket, status, status)
}

function refuseSocket(socket: Duplex, status: string, body: string, more: readonly string[] = []): void {
  const headers = ['Content-Type', HttpRules.TEXT_TYPE, ...more, 'Connection', 'close']
  let head = `HTTP/1.1 ${status}\r\n`
  for (let at = 0; at < headers.length; at += 2) head += `${headers[at]}: ${headers[at + 1]}\r\n`
  SocketEnd.send(socket, `${head}\r\n${body}`)
}
