import type { PipeliningLimits } from './Pipelining.ts'

/** Limits of the connections of an HTTP server. Times are in milliseconds. */
export interface ConnectionLimits {
  /** Maximum number of open connections of a server, including WebSockets and event streams. */
  readonly connections: number
  /**
   * Maximum number of open connections from one IPv4 address or one /64 of IPv6 addresses. Connections from trusted
   * proxies and Unix sockets count only in total.
   */
  readonly connectionsPerAddress: number
  /** Maximum time for the headers of a request. `readMs` is the maximum for the whole request. */
  readonly headersMs: number
  readonly readMs: number
  /** Time for which a connection is kept open without a request. */
  readonly idleMs: number
  /** Time after which a connection is closed whose client reads nothing of its answer. */
  readonly unreadMs: number
  /** Maximum number of bytes of answers that a server holds for clients that do not read them. */
  readonly unreadBytes: number
  /** Time for a client to close a connection after the server has closed its side. */
  readonly lingerMs: number
  /** Maximum number of requests on one connection that are not answered yet. */
  readonly pipelined: PipeliningLimits
  /** Maximum number of headers of a request. */
  readonly headerCount: number
}

/** Default limits. They leave room for thousands of streams, and for slow but honest clients. */
export const DEFAULTS: ConnectionLimits = {
  connections: 8_192,
  connectionsPerAddress: 512,
  headersMs: 15_000,
  readMs: 60_000,
  // Longer than load balancers keep idle connections, which is usually 60 s.
  idleMs: 75_000,
  unreadMs: 60_000,
  unreadBytes: 268_435_456,
  lingerMs: 5_000,
  pipelined: { started: 16, waiting: 100 },
  headerCount: 100,
}

/** Options that every service has. Undefined options have their default values. */
export interface Options {
  /** See `connections` of {@link ConnectionLimits}. */
  readonly maxConnections?: number | undefined
  /** See `connectionsPerAddress` of {@link ConnectionLimits}. */
  readonly maxConnectionsPerAddress?: number | undefined
  /** Maximum time in milliseconds for a request to arrive completely. */
  readonly readTimeout?: number | undefined
  /** Time in milliseconds for which a connection is kept open without a request. */
  readonly keepAliveTimeout?: number | undefined
}

/**
 * Returns the limits that the options describe.
 * @example
 * ```ts
 * import { ConnectionLimits } from '@firn/http'
 *
 * ConnectionLimits.create({ maxConnections: 100 }).connectionsPerAddress // 512
 * ```
 */
export function create(options: Options): ConnectionLimits {
  const { maxConnections, maxConnectionsPerAddress, readTimeout, keepAliveTimeout } = options
  const readMs = readTimeout ?? DEFAULTS.readMs
  return {
    ...DEFAULTS,
    connections: maxConnections ?? DEFAULTS.connections,
    connectionsPerAddress: maxConnectionsPerAddress ?? DEFAULTS.connectionsPerAddress,
    readMs,
    headersMs: Math.min(DEFAULTS.headersMs, readMs),
    idleMs: keepAliveTimeout ?? DEFAULTS.idleMs,
  }
}

/** Options of Node.js for HTTP servers that can be set only when a server is created. */
export const SERVER_OPTIONS = {
  /** Interval in milliseconds between two checks for requests that take too long to arrive. */
  connectionsCheckingInterval: 1_000,
  /** Maximum total size of the headers of a request, in bytes. */
  maxHeaderSize: 16_384,
} as const
