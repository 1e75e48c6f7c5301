import type { Rate } from './TokenBuckets.ts'

/** Limits of callers and nodes. Times are in milliseconds. */
export interface Limits {
  /** Credits of each address; undefined disables the rate limit. */
  readonly rate: Rate | undefined
  /**
   * Refusals that the gateway sends to an address. A caller that ignores them is disconnected, and refused
   * until half of the burst is available again. Undefined if the connections belong to proxies.
   */
  readonly refusals: Rate | undefined
  /** Maximum number of open connections including WebSockets, in total and per address. */
  readonly connections: number
  readonly connectionsPerAddress: number
  /** Maximum number of running requests, in total and per address. */
  readonly requests: number
  readonly requestsPerAddress: number
  /** Maximum number of addresses whose credits are kept in memory. */
  readonly addresses: number
  /** Maximum size of a request body, and of a caller's WebSocket message, in bytes. */
  readonly bodyBytes: number
  /** Maximum size of a node's answer, and of a node's WebSocket message, in bytes. */
  readonly answerBytes: number
  readonly messageBytes: number
  /** Maximum total size of all bodies and messages that wait to be forwarded, in bytes. */
  readonly waitingBytes: number
  readonly batchCalls: number
  /** Maximum number of unanswered calls per WebSocket. */
  readonly callsPerSocket: number
  /** Timeouts for receiving a request, for the start of a node's answer, and for the whole exchange. */
  readonly requestMs: number
  readonly answerMs: number
  readonly totalMs: number
  /** Maximum time without any data from a connection, or without a caller reading its answer. */
  readonly idleMs: number
}

const MIB = 1_048_576

/** Default limits. */
export const LIMITS: Limits = {
  rate: { perSecond: 1_000, burst: 10_000 },
  refusals: { perSecond: 20, burst: 500 },
  connections: 8_192,
  connectionsPerAddress: 256,
  requests: 4_096,
  requestsPerAddress: 128,
  addresses: 65_536,
  bodyBytes: MIB,
  answerBytes: 64 * MIB,
  messageBytes: 16 * MIB,
  waitingBytes: 256 * MIB,
  batchCalls: 100,
  callsPerSocket: 256,
  requestMs: 15_000,
  answerMs: 30_000,
  totalMs: 120_000,
  idleMs: 60_000,
}
