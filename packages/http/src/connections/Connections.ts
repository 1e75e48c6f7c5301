import { Server as HttpServer } from 'node:http'
import type { Server, Socket } from 'node:net'
import { Server as TlsServer } from 'node:tls'
import { Registry } from 'prom-client'
import * as IpAddress from '../IpAddress.ts'
import * as Refusals from '../Refusals.ts'
import * as TrustedProxies from '../TrustedProxies.ts'
import * as ConnectionCounts from './ConnectionCounts.ts'
import * as ConnectionLimits from './ConnectionLimits.ts'
import * as ConnectionMetrics from './ConnectionMetrics.ts'
import * as Descriptors from './Descriptors.ts'
import * as Pipelining from './Pipelining.ts'
import * as SocketEnd from './SocketEnd.ts'
import { type Connection, sweep } from './Sweep.ts'
import { setTimes } from './setTimes.ts'

/** Limits the connections of the servers of a service. */
export interface Connections {
  /**
   * Applies the limits to a server, before it listens. Each listener has its own counts; its name, such as `api`, is a
   * label of the metrics. `closeIdle` closes connections that wait for a request; it is called when no further connection
   * fits, and by default known for HTTP servers.
   */
  attach(server: Server, listener: string, closeIdle?: () => void): void
  /** Limits the unanswered requests of each connection of an HTTP server that gets its connections from another server. */
  limitPipelining(server: HttpServer, listener: string): void
}

/** Options of {@link create}. */
export interface ConnectionsOptions extends ConnectionLimits.Options, TrustedProxies.Options {
  /** Name of the service, such as `data-api`, in {@link Refusals}. */
  readonly service: string
  /** Prefix of the metrics, such as `firn_data_api`. */
  readonly prefix: string
  /** Registry of the metrics; by default they are not registered. */
  readonly registry?: Registry | undefined
  /** Limits that override the other options. */
  readonly limits?: Partial<ConnectionLimits.ConnectionLimits> | undefined
  /** Returns whether connections of an address are refused. */
  readonly isBanned?: (keys: IpAddress.LimitKeys) => boolean
  /** Interval in milliseconds between two checks of the open connections; by default a second. */
  readonly checkMs?: number
  /** File descriptors for all connections; by default all of the process. */
  readonly descriptors?: Descriptors.Descriptors
}

const CHECK_MS = 1_000
/** Maximum number of refused connections that get an answer at the same time. Further ones are closed at once. */
const MAX_ANSWERED = 16
const RETRY_AFTER_S = 5

const BODY = JSON.stringify({
  message: `too many open connections; close unused ones, or try again in ${RETRY_AFTER_S} s`,
  error: 'Service Unavailable',
  statusCode: 503,
})
const REFUSED = [
  'HTTP/1.1 503 Service Unavailable',
  'Content-Type: application/json; charset=utf-8',
  `Content-Length: ${BODY.length}`,
  `Retry-After: ${RETRY_AFTER_S}`,
  'Connection: close',
  '',
  BODY,
].join('\r\n')

/**
 * Creates the limits of a service's connections: their number, and the times for headers, bodies, answers that nobody
 * reads, and connections that nobody closes. A connection beyond the limits is answered with 503 and closed.
 * @throws HttpError `HTTP_CONFIGURATION`: the options for proxies are invalid
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { BoundPort, ConnectionLimits, Connections } from '@firn/http'
 *
 * const connections = Connections.create({ service: 'prices', prefix: 'prices', maxConnections: 1_000 })
 * const server = createServer(ConnectionLimits.SERVER_OPTIONS, (_request, response) => response.end('12'))
 * const port = await BoundPort.bind({ host: '127.0.0.1', port: 0, flag: '--port' })
 * await port.serve(server, { connections, listener: 'api' })
 * ```
 */
export function create(options: ConnectionsOptions): Connections {
  const { descriptors = Descriptors.OF_PROCESS, registry = new Registry(), prefix } = options
  const limits = { ...ConnectionLimits.create(options), ...options.limits }
  const trusted = TrustedProxies.create(options)
  const listeners = new Map<string, ConnectionCounts.ConnectionCounts>()
  const open = () => new Map([...listeners].map(([name, counts]) => [name, counts.open]))
  const metrics = ConnectionMetrics.create(prefix, registry, open)
  const limitPipelining: Connections['limitPipelining'] = (server, listener) =>
    Pipelining.limit(server, limits.pipelined, () => metrics.ended(listener, 'pipelined'))
  return {
    limitPipelining,
    attach(server, listener, closeIdle = idleCloserOf(server)) {
      const counts = ConnectionCounts.create(limits, trusted, descriptors.capacity)
      listeners.set(listener, counts)
      metrics.listen(listener)
      if (server instanceof HttpServer) {
        setTimes(server, limits)
        limitPipelining(server, listener)
      }
      guard(server, {
        ...options,
        closeIdle,
        limits,
        counts,
        descriptors,
        end: (reason) => metrics.ended(listener, reason),
      })
    },
  }
}

interface Guard extends Pick<ConnectionsOptions, 'service' | 'isBanned' | 'checkMs'> {
  readonly limits: ConnectionLimits.ConnectionLimits
  readonly counts: ConnectionCounts.ConnectionCounts
  readonly descriptors: Descriptors.Descriptors
  readonly end: (reason: ConnectionMetrics.Reason) => void
  readonly closeIdle: () => void
}

function idleCloserOf(server: Server): () => void {
  return server instanceof HttpServer ? () => server.closeIdleConnections() : () => undefined
}

function guard(server: Server, options: Guard): void {
  const { limits, end, closeIdle, checkMs = CHECK_MS } = options
  const connections = new Set<Connection>()
  const answered = { count: 0 }
  let timer: NodeJS.Timeout | undefined
  let isFull = false
  const check = () => {
    if (isFull) closeIdle()
    isFull = false
    sweep(connections, limits, performance.now(), end)
  }
  // A refused connection must not reach the server's own handlers.
  const handlers = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const connection: Connection = { socket }
    const admitted = admit(socket, options)
    if (typeof admitted !== 'function') {
      end(admitted)
      isFull ||= admitted === 'total' || admitted === 'descriptors'
      return refuse(socket, !(server instanceof TlsServer), answered)
    }
    connections.add(connection)
    timer ??= setInterval(check, checkMs).unref()
    socket.once('close', () => {
      admitted()
      connections.delete(connection)
      if (connections.size > 0) return
      clearInterval(timer)
      timer = undefined
    })
    socket.on('timeout', () => {
      if (connection.unread === undefined) return
      end('unread')
      SocketEnd.reset(socket)
    })
    for (const handler of handlers) Reflect.apply(handler, server, [socket])
  })
  // Without a listener, a failure to accept a connection, such as EMFILE, would end the process.
  server.on('error', () => end('descriptors'))
}

/** Counts a connection, and returns a function that counts its end, or the reason to refuse the connection. */
function admit(
  { remoteAddress = '' }: Socket,
  { service, isBanned, counts, descriptors }: Guard,
): (() => void) | ConnectionMetrics.Reason {
  const peer = IpAddress.parse(remoteAddress)
  if (peer !== undefined && isBanned?.(IpAddress.toLimitKeys(peer)) === true) return 'banned'
  if (descriptors.held >= descriptors.capacity()) return 'descriptors'
  const release = counts.add(peer)
  if (release === 'address')
    Refusals.publish({ service, caller: IpAddress.toLimitKey(peer), limit: 'connections' })
  if (typeof release !== 'function') return release
  descriptors.held++
  return () => {
    release()
    descriptors.held--
  }
}

function refuse(socket: Socket, isPlain: boolean, answered: { count: number }): void {
  socket.on('error', () => socket.destroy())
  if (!isPlain || answered.count >= MAX_ANSWERED) return void socket.destroy()
  answered.count++
  socket.once('close', () => answered.count--)
  SocketEnd.send(socket, REFUSED)
}
