import type { IndexerError } from '../../common/IndexerError.ts'

/** Matches the error messages of nodes that do not know a method or do not allow it. */
const UNKNOWN_METHOD =
  /method.*(not (found|exist|available|supported|allowed|enabled|whitelisted)|does not exist|is disabled)|(unknown|unsupported|invalid|no such) method|not (available|supported|implemented|enabled)|does not exist\/is not available/i
/** Matches the error messages of nodes that have a block but not its state. */
const STATE_GONE =
  /missing trie node|historical state|state (is )?(not available|unavailable|pruned|histor)|pruned|archive|required.*state|reexec/i

/** Matches the error messages of nodes whose own time limit for a trace has passed. */
const TIMEOUT = /time(d)? ?out|deadline exceeded/i

/** Returns whether an error message says that a node's own time limit has passed. */
export function isTimeout(message: string): boolean {
  return TIMEOUT.test(message)
}

/** Returns whether a node refuses the method itself rather than its arguments. */
export function isUnknownMethod({ code, details }: IndexerError): boolean {
  if (code !== 'INDEXER_RPC_REFUSED') return false
  if (details['rpcCode'] === -32601 || details['rpcCode'] === -32004) return true
  const status = Number(details['status'] ?? 0)
  return [401, 403, 404, 405].includes(status) || UNKNOWN_METHOD.test(String(details['rpcMessage'] ?? ''))
}

/** Returns whether a node refuses a call because it no longer has the state of a block. */
export function isStateGone({ code, details }: IndexerError): boolean {
  return code === 'INDEXER_RPC_REFUSED' && STATE_GONE.test(String(details['rpcMessage'] ?? ''))
}
