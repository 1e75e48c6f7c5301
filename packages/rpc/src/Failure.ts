import type { RpcError } from './RpcError.ts'

/**
 * Reason why a request failed, from the caller's point of view:
 * - `unreachable`: there is no connection, or it broke before the response was complete
 * - `timeout`: the response was not complete in time
 * - `aborted`: the caller's own signal was aborted
 * - `limited`: the server asks for fewer requests (HTTP status 429, 503 with `Retry-After`, or a JSON-RPC
 * error whose message says so)
 * - `unavailable`: the server can't respond now (HTTP status 408, 425, 5xx)
 * - `absent`: the server doesn't serve the path (HTTP status 404)
 * - `refused`: the server responded with any other HTTP status that is not 2xx
 * - `tooLarge`: the server asks for smaller requests (HTTP status 413, or a JSON-RPC error whose message says
 * so)
 * - `oversize`: the response is longer than the caller's limit
 * - `malformed`: the response is not JSON, or doesn't belong to the request
 * - `answered`: the method responded with any other JSON-RPC error
 * - `invalid`: the arguments don't fit the method's schema, so nothing was sent
 */
export type FailureClass =
  | 'unreachable'
  | 'timeout'
  | 'aborted'
  | 'limited'
  | 'unavailable'
  | 'absent'
  | 'refused'
  | 'tooLarge'
  | 'oversize'
  | 'malformed'
  | 'answered'
  | 'invalid'

/** How callers should react to a failure. */
export interface Policy {
  /**
   * Whether to try again. `failOver`: another server may respond, or the same server later. `final`: the
   * request fails in the same way on every server.
   */
  readonly next: 'failOver' | 'final'
  /** Whether the failure is the server's fault, so that the server is tried last for a while. */
  readonly isFault: boolean
  /**
   * Whether the server may have run the method. If so, methods with `isOnce`, such as `platform.issueTx`, are not sent
   * again, because the second answer may be an error that the first request caused.
   */
  readonly mayHaveRun: boolean
}

const FAULT: Policy = { next: 'failOver', isFault: true, mayHaveRun: true }
const ANSWER: Policy = { next: 'final', isFault: false, mayHaveRun: true }

/** The policy for each failure class. */
export const POLICIES: Readonly<Record<FailureClass, Policy>> = {
  unreachable: FAULT,
  timeout: FAULT,
  limited: { ...FAULT, mayHaveRun: false },
  unavailable: FAULT,
  absent: { ...FAULT, mayHaveRun: false },
  oversize: FAULT,
  malformed: FAULT,
  refused: { next: 'final', isFault: true, mayHaveRun: true },
  tooLarge: ANSWER,
  answered: ANSWER,
  aborted: ANSWER,
  invalid: { ...ANSWER, mayHaveRun: false },
}

/**
 * Returns whether a server may have run a method whose call failed with this error.
 * @example
 * ```ts
 * import { mayHaveRun, RpcError } from '@firn/rpc'
 *
 * mayHaveRun(new RpcError('RPC_TIMEOUT', 'no response within 10 seconds')) // true
 * mayHaveRun(new RpcError('RPC_HTTP', 'too many requests', { details: { httpStatus: 429 } })) // false
 * ```
 */
export function mayHaveRun(error: RpcError): boolean {
  return POLICIES[classify(error)].mayHaveRun && error.details.isUnsent !== true
}

/**
 * Returns the failure class of an error.
 * @example
 * ```ts
 * import { classify, RpcError } from '@firn/rpc'
 *
 * classify(new RpcError('RPC_TIMEOUT', 'no response within 10 seconds')) // 'timeout'
 * ```
 */
export function classify({ code, details }: RpcError): FailureClass {
  switch (code) {
    case 'RPC_TRANSPORT':
      return 'unreachable'
    case 'RPC_TIMEOUT':
      return 'timeout'
    case 'RPC_ABORTED':
      return 'aborted'
    case 'RPC_SCHEMA':
      return 'invalid'
    case 'RPC_RESPONSE':
      return details.maxResponseBytes === undefined ? 'malformed' : 'oversize'
    case 'RPC_HTTP':
      return classifyStatus(details.httpStatus ?? 0, details.retryAfterMs)
    case 'RPC_REMOTE':
      return classifyRemote(details)
  }
}

/**
 * Returns the failure class of an HTTP status that is not 2xx.
 * @example
 * ```ts
 * import { classifyStatus } from '@firn/rpc'
 *
 * classifyStatus(429) // 'limited'
 * classifyStatus(502) // 'unavailable'
 * ```
 */
export function classifyStatus(status: number, retryAfterMs?: number): FailureClass {
  if (status === 429 || (status === 503 && retryAfterMs !== undefined)) return 'limited'
  if (status === 413) return 'tooLarge'
  if (status === 404) return 'absent'
  return status >= 500 || status === 408 || status === 425 ? 'unavailable' : 'refused'
}

/** Matches error messages with which nodes ask for smaller requests. */
const TOO_LARGE =
  /(batch|response|result|payload|body|content|request entity)\b.*\b(too (large|big|many)|limit|exceed|size)|too (large|big|many)\b.*\b(batch|response|result|requests in)|batch(es| requests?)?\b.*\b(not|un)\s?(allowed|supported)/i
/** Matches error messages with which nodes ask for fewer requests. */
const LIMITED =
  /rate.?limit|too many requests|throttl|requests? per (second|minute)|(units|requests?) capacity|capacity limit|quota|limit exceeded|try again (later|in)/i

function classifyRemote({
  rpcCode = 0,
  rpcMessage = '',
  httpStatus = 200,
  retryAfterMs,
}: RpcError['details']): FailureClass {
  // For the HTTP statuses of a failing proxy, a JSON-RPC error in the body is ignored. For other statuses,
  // the JSON-RPC error is more specific.
  const byStatus = httpStatus < 300 ? 'refused' : classifyStatus(httpStatus, retryAfterMs)
  if (byStatus !== 'refused' && byStatus !== 'absent') return byStatus
  // The message of a reverted call comes from the called contract and may contain any words.
  if (rpcCode === 3 || /revert/i.test(rpcMessage)) return 'answered'
  if (rpcCode === -32003 || TOO_LARGE.test(rpcMessage)) return 'tooLarge'
  const isLimited = rpcCode === -32005 || rpcCode === 429 || retryAfterMs !== undefined
  return isLimited || LIMITED.test(rpcMessage) ? 'limited' : 'answered'
}

/**
 * Returns the delay in milliseconds that a `Retry-After` header requests, in seconds or as a date. Returns
 * undefined if the header can't be parsed.
 * @example
 * ```ts
 * import { parseRetryAfter } from '@firn/rpc'
 *
 * parseRetryAfter('2', Date.now()) // 2000
 * ```
 */
export function parseRetryAfter(text: string | null | undefined, now: number): number | undefined {
  if (text === null || text === undefined || text.trim() === '') return undefined
  const ms = /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isFinite(ms) ? Math.max(ms, 0) : undefined
}
