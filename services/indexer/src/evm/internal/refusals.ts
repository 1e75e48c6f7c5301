import { IndexerError, type IndexerErrorCode } from '../../IndexerError.ts'

/** The longest part of a node's words that is kept. */
const LONGEST = 300
/** Words of nodes that want to be asked for less at once. */
const TOO_LARGE =
  /(batch|response|result|payload|body|content|request entity)\b.*\b(too (large|big|many)|limit|exceed|size)|too (large|big|many)\b.*\b(batch|response|result|requests in)|batch(es| requests?)?\b.*\b(not|un)\s?(allowed|supported)/i
/** Words of nodes that want to be asked less often. */
const LIMITED =
  /rate.?limit|too many requests|throttl|requests? per (second|minute)|capacity|quota|limit exceeded|try again (later|in)/i
/** Words of nodes that don't have a method, or don't let it be called. */
const UNKNOWN_METHOD =
  /method.*(not (found|exist|available|supported|allowed|enabled|whitelisted)|does not exist|is disabled)|(unknown|unsupported|invalid|no such) method|not (available|supported|implemented|enabled)|does not exist\/is not available/i
/** Words of nodes that have a block, but not the state that it left. */
const STATE_GONE =
  /missing trie node|historical state|state (is )?(not available|unavailable|pruned|histor)|pruned|archive|required.*state|reexec/i

/** The error that a node answered with, as one of ours. */
export function refusal(error: Readonly<Record<string, unknown>>, name: string): IndexerError {
  const rpcCode = typeof error['code'] === 'number' ? error['code'] : 0
  const rpcMessage = String(error['message'] ?? '').slice(0, LONGEST)
  const retryAfterMs = retryAfterOf(error['data'])
  const details = {
    upstream: name,
    rpcCode,
    rpcMessage,
    ...(typeof error['data'] === 'string' ? { data: error['data'] } : {}),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  }
  return new IndexerError(
    codeOf(rpcCode, rpcMessage, retryAfterMs),
    `${name} answered error ${rpcCode}: ${rpcMessage}`,
    {
      details,
    },
  )
}

/** What an HTTP status says; undefined of one that says nothing against the body. */
export function refusalByStatus(
  status: number,
  retryAfter: string | null,
  name: string,
  now: number,
): IndexerError | undefined {
  if (status >= 200 && status < 300) return undefined
  const retryAfterMs = parseRetryAfter(retryAfter, now)
  const told = { upstream: name, status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
  return new IndexerError(byStatus(status, retryAfterMs), `${name} answered HTTP status ${status}`, {
    details: told,
  })
}

/** True of a refusal of a method as such, rather than of these arguments or at this time. */
export function isUnknownMethod({ code, details }: IndexerError): boolean {
  if (code !== 'INDEXER_RPC_REFUSED') return false
  if (details['rpcCode'] === -32601 || details['rpcCode'] === -32004) return true
  const status = Number(details['status'] ?? 0)
  return [401, 403, 404, 405].includes(status) || UNKNOWN_METHOD.test(String(details['rpcMessage'] ?? ''))
}

/** True of a refusal because the state of a block is no longer kept. */
export function isStateGone({ code, details }: IndexerError): boolean {
  return code === 'INDEXER_RPC_REFUSED' && STATE_GONE.test(String(details['rpcMessage'] ?? ''))
}

/** Milliseconds to wait as the `retry-after` of HTTP says: seconds, or a date. */
export function parseRetryAfter(text: string | null, now: number): number | undefined {
  if (text === null || text.trim() === '') return undefined
  const ms = /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isFinite(ms) ? Math.max(ms, 0) : undefined
}

function codeOf(rpcCode: number, message: string, retryAfterMs: number | undefined): IndexerErrorCode {
  // A reverted call says what its contract wants, which may be any words.
  if (rpcCode === 3 || /revert/i.test(message)) return 'INDEXER_RPC_REFUSED'
  if (TOO_LARGE.test(message) || rpcCode === -32003) return 'INDEXER_RPC_TOO_LARGE'
  const isLimited = rpcCode === -32005 || rpcCode === 429 || retryAfterMs !== undefined
  return isLimited || LIMITED.test(message) ? 'INDEXER_RPC_LIMITED' : 'INDEXER_RPC_REFUSED'
}

function byStatus(status: number, retryAfterMs: number | undefined): IndexerErrorCode {
  if (status === 429 || (status === 503 && retryAfterMs !== undefined)) return 'INDEXER_RPC_LIMITED'
  if (status === 413) return 'INDEXER_RPC_TOO_LARGE'
  return status >= 500 || status === 408 ? 'INDEXER_RPC_UNAVAILABLE' : 'INDEXER_RPC_REFUSED'
}

/** Some nodes say in the error's data how many seconds to wait. */
function retryAfterOf(data: unknown): number | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const rate = (data as Record<string, unknown>)['rate'] ?? data
  if (typeof rate !== 'object' || rate === null) return undefined
  const members = rate as Record<string, unknown>
  const seconds = members['backoff_seconds'] ?? members['retry_after'] ?? members['retryAfter']
  return typeof seconds === 'number' && Number.isFinite(seconds) ? Math.max(seconds, 0) * 1000 : undefined
}
