import type { RpcError } from './RpcError.ts'

/**
 * Why a request failed, from the caller's point of view:
 * - `unreachable`: no connection, or it broke before the whole answer came
 * - `timeout`: no whole answer in time
 * - `aborted`: the caller's own signal was aborted
 * - `limited`: the server asks for fewer requests (HTTP status 429, 503 with `Retry-After`, JSON-RPC errors that say so)
 * - `unavailable`: the server can't answer now (HTTP status 408, 425, 5xx)
 * - `absent`: the server doesn't serve the path (HTTP status 404)
 * - `refused`: another HTTP status
 * - `tooLarge`: the server asks for less at once (HTTP status 413, JSON-RPC errors that say so)
 * - `oversize`: the answer is longer than the caller's cap
 * - `malformed`: the answer is not JSON, or not the answer to the request
 * - `answered`: the method answered with any other JSON-RPC error
 * - `invalid`: the arguments don't fit the method's schema; nothing was sent
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

/** How to react to a failure. */
export interface Policy {
  /** `failOver`: another server, or the same one later, may answer. `final`: the same request fails in the same way everywhere. */
  readonly next: 'failOver' | 'final'
  /** Whether the server is tried last for a while. */
  readonly isFault: boolean
}

const FAULT: Policy = { next: 'failOver', isFault: true }
const ANSWER: Policy = { next: 'final', isFault: false }

/** The policy of each failure class. */
export const POLICIES: Readonly<Record<FailureClass, Policy>> = {
  unreachable: FAULT,
  timeout: FAULT,
  limited: FAULT,
  unavailable: FAULT,
  absent: FAULT,
  oversize: FAULT,
  malformed: FAULT,
  refused: { next: 'final', isFault: true },
  tooLarge: ANSWER,
  answered: ANSWER,
  aborted: ANSWER,
  invalid: ANSWER,
}

/** Returns the class of a failed call. */
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

/** Returns the class of an HTTP status that is not 2xx. */
export function classifyStatus(status: number, retryAfterMs?: number): FailureClass {
  if (status === 429 || (status === 503 && retryAfterMs !== undefined)) return 'limited'
  if (status === 413) return 'tooLarge'
  if (status === 404) return 'absent'
  return status >= 500 || status === 408 || status === 425 ? 'unavailable' : 'refused'
}

/** Messages of nodes that ask for smaller requests. */
const TOO_LARGE =
  /(batch|response|result|payload|body|content|request entity)\b.*\b(too (large|big|many)|limit|exceed|size)|too (large|big|many)\b.*\b(batch|response|result|requests in)|batch(es| requests?)?\b.*\b(not|un)\s?(allowed|supported)/i
/** Messages of nodes that ask for fewer requests. */
const LIMITED =
  /rate.?limit|too many requests|throttl|requests? per (second|minute)|(units|requests?) capacity|capacity limit|quota|limit exceeded|try again (later|in)/i

function classifyRemote({
  rpcCode = 0,
  rpcMessage = '',
  httpStatus = 200,
  retryAfterMs,
}: RpcError['details']): FailureClass {
  // A failing proxy may also answer with a JSON-RPC error. For other statuses the error is more specific.
  const byStatus = httpStatus < 300 ? 'refused' : classifyStatus(httpStatus, retryAfterMs)
  if (byStatus !== 'refused' && byStatus !== 'absent') return byStatus
  // The message of a reverted call comes from its contract and may contain any words.
  if (rpcCode === 3 || /revert/i.test(rpcMessage)) return 'answered'
  if (rpcCode === -32003 || TOO_LARGE.test(rpcMessage)) return 'tooLarge'
  const isLimited = rpcCode === -32005 || rpcCode === 429 || retryAfterMs !== undefined
  return isLimited || LIMITED.test(rpcMessage) ? 'limited' : 'answered'
}

/** Returns the milliseconds to wait that a `Retry-After` header asks for, as seconds or as a date; undefined if it can't be read. */
export function parseRetryAfter(text: string | null | undefined, now: number): number | undefined {
  if (text === null || text === undefined || text.trim() === '') return undefined
  const ms = /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isFinite(ms) ? Math.max(ms, 0) : undefined
}
