import { P2pError } from '../P2pError.ts'

/** What all requests have in common: an id, a chain and a deadline. */

/** Length of the id of a chain or a container, in bytes. */
export const ID_LENGTH = 32

/** Longest deadline of a request, in milliseconds. Receivers reduce longer deadlines to this one. */
export const MAX_DEADLINE_MS = 10_000

/** Longest time that a timer can wait, in milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1
const NANOSECONDS = 1_000_000n
const MAX_ID = 0xffff_ffff

/** Returns the next request id. */
export type NextId = () => number

/**
 * Creates a sequence of request ids. They are odd and increase by 2, because EVM chains reserve even ids for an older
 * protocol and drop them silently. The first one is `firstId`, plus 1 if it is even.
 */
export function createIds(firstId: number): NextId {
  let nextId = (firstId | 1) >>> 0
  return () => {
    const id = nextId
    nextId = id + 2 > MAX_ID ? 1 : id + 2
    return id
  }
}

/** Returns the deadline to send to the peer, in nanoseconds. */
export function wireDeadline(deadlineMs: number): bigint {
  return BigInt(Math.max(1, Math.floor(Math.min(deadlineMs, MAX_DEADLINE_MS)))) * NANOSECONDS
}

/**
 * Checks the chain id and the deadline of a request to send.
 * @throws P2pError `P2P_ARGUMENT`
 */
export function assertRequest(request: { readonly chainId: Uint8Array; readonly deadlineMs: number }): void {
  assertId(request.chainId, 'request: expected a chain id')
  if (!(request.deadlineMs > 0 && request.deadlineMs <= MAX_TIMER_MS)) {
    throw new P2pError(
      'P2P_ARGUMENT',
      `request: expected a deadline above 0 and of at most ${MAX_TIMER_MS} ms, got ${request.deadlineMs}`,
    )
  }
}

/**
 * Checks the length of an id in a request to send. The message of the error starts with `expected`.
 * @throws P2pError `P2P_ARGUMENT`
 */
export function assertId(id: Uint8Array, expected: string): void {
  if (id.length === ID_LENGTH) return
  throw new P2pError('P2P_ARGUMENT', `${expected} of ${ID_LENGTH} bytes, got ${id.length}`)
}
