import { ConnectionLimits, type RateLimiter } from '@firn/http'

/** Limits of callers and nodes. Times are in milliseconds. */
export interface Limits {
  /**
   * Rate limit of each address, in credits. If undefined, addresses are not limited. An IPv6 /64 counts as one address,
   * and all networks of a /48 together have `IpAddress.SITE_FACTOR` times the rate.
   */
  readonly rate: RateLimiter.Rate | undefined
  /**
   * Rate at which the gateway may send refusals to an address. A caller that exceeds it is disconnected, and its
   * connections are refused until half of the burst is available again. If undefined, no caller is disconnected; use
   * this behind proxies, whose connections many callers share.
   */
  readonly refusals: RateLimiter.Rate | undefined
  /**
   * Maximum number of open connections including WebSockets. `connectionsPerAddress` is the maximum for one
   * address.
   */
  readonly connections: number
  readonly connectionsPerAddress: number
  /** Maximum number of running requests. `requestsPerAddress` is the maximum for one address. */
  readonly requests: number
  readonly requestsPerAddress: number
  /** Maximum number of addresses whose credits are kept in memory. */
  readonly addresses: number
  /** Maximum size of a request body, and of a caller's WebSocket message, in bytes. */
  readonly bodyBytes: number
  /** Bytes of a body that cost a credit. The first of them are included in the credit of the request. */
  readonly bytesPerCredit: number
  /**
   * Maximum size of a node's answer, in bytes. `messageBytes` is the maximum for a node's WebSocket message.
   */
  readonly answerBytes: number
  readonly messageBytes: number
  /** Maximum total size of all bodies and messages that wait to be forwarded, in bytes. */
  readonly waitingBytes: number
  readonly batchCalls: number
  /** Maximum number of unanswered calls per WebSocket. */
  readonly callsPerSocket: number
  /**
   * Maximum time until a request has arrived completely. `answerMs` limits the time until a node's answer
   * starts, and `totalMs` limits the whole exchange.
   */
  readonly requestMs: number
  readonly answerMs: number
  readonly totalMs: number
  /**
   * Maximum time in which a connection is open without a request, in which a WebSocket sends no data, or in which a
   * caller does not read its answer.
   */
  readonly idleMs: number
}

const MIB = 1_048_576

/** Default limits. */
export const LIMITS: Limits = {
  rate: { perSecond: 1_000, burst: 10_000 },
  refusals: { perSecond: 20, burst: 500 },
  connections: ConnectionLimits.DEFAULTS.connections,
  connectionsPerAddress: ConnectionLimits.DEFAULTS.connectionsPerAddress,
  requests: 4_096,
  requestsPerAddress: 128,
  addresses: 65_536,
  bodyBytes: MIB,
  bytesPerCredit: 4_096,
  answerBytes: 64 * MIB,
  messageBytes: 16 * MIB,
  waitingBytes: 256 * MIB,
  batchCalls: 100,
  callsPerSocket: 256,
  requestMs: ConnectionLimits.DEFAULTS.readMs,
  answerMs: 30_000,
  totalMs: 120_000,
  idleMs: ConnectionLimits.DEFAULTS.idleMs,
}
