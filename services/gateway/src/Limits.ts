import type { Rate } from './TokenBuckets.ts'

/** What callers and nodes may take of this service; times are milliseconds. */
export interface Limits {
  /** Of each address; undefined: no limit. */
  readonly rate: Rate | undefined
  /**
   * Refusals that an address is told. Whoever goes on regardless is hung up on, and not let in until half of them are there
   * again. Undefined where connections are those of proxies.
   */
  readonly refusals: Rate | undefined
  /** Open connections, websockets among them, of all and of one address. */
  readonly connections: number
  readonly connectionsPerAddress: number
  /** Requests under way, of all and of one address. */
  readonly requests: number
  readonly requestsPerAddress: number
  /** Addresses whose allowances are remembered. */
  readonly addresses: number
  /** Of a request's body and of a caller's message on a websocket. */
  readonly bodyBytes: number
  /** Of a node's answer and of its message on a websocket. */
  readonly answerBytes: number
  readonly messageBytes: number
  /** Of all bodies and messages that wait here at once. */
  readonly waitingBytes: number
  readonly batchCalls: number
  /** Calls on a websocket that have no answer yet. */
  readonly callsPerSocket: number
  /** How long a request may take to come, a node's answer to begin, and everything together. */
  readonly requestMs: number
  readonly answerMs: number
  readonly totalMs: number
  /** How long a connection may be silent, and a reader not read. */
  readonly idleMs: number
}

const MIB = 1_048_576

/** The limits where nothing else is said. */
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
