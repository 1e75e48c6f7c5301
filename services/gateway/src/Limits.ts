import type { Rate } from './TokenBuckets.ts'

/** Limits of callers and nodes; times are milliseconds. */
export interface Limits {
  /** Rate of each address; undefined for no limit. */
  readonly rate: Rate | undefined
  /**
   * Number of refusals sent to an address. A caller that continues regardless is disconnected, and refused
   * until half of them are available again. Undefined where connections belong to proxies.
   */
  readonly refusals: Rate | undefined
  /** Open connections, WebSockets included, in total and per address. */
  readonly connections: number
  readonly connectionsPerAddress: number
  /** Requests in progress, in total and per address. */
  readonly requests: number
  readonly requestsPerAddress: number
  /** Number of addresses whose credits are remembered. */
  readonly addresses: number
  /** Maximum size of a request's body and of a caller's WebSocket message. */
  readonly bodyBytes: number
  /** Maximum size of a node's answer and of its WebSocket message. */
  readonly answerBytes: number
  readonly messageBytes: number
  /** Maximum size of all bodies and messages that wait here at once. */
  readonly waitingBytes: number
  readonly batchCalls: number
  /** Unanswered calls per WebSocket. */
  readonly callsPerSocket: number
  /** Time for a request to arrive, for a node's answer to start, and for everything together. */
  readonly requestMs: number
  readonly answerMs: number
  readonly totalMs: number
  /** How long a connection may be silent, and a reader may not read. */
  readonly idleMs: number
}

const MIB = 1_048_576

/** The default limits. */
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
