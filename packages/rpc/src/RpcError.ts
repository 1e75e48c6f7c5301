import { FirnError } from '@firn/codec'

/**
 * Reason why a call failed, from the caller's point of view:
 * - `RPC_TRANSPORT`: no response arrived (connection refused or reset, host name not found, or aborted by the
 * peer)
 * - `RPC_TIMEOUT`: the timeout of the call expired
 * - `RPC_ABORTED`: the caller's own signal was aborted
 * - `RPC_HTTP`: the response has an HTTP status that is not 2xx and contains no JSON-RPC error
 * - `RPC_RESPONSE`: the response is too long, or is not the JSON-RPC result that the method declares
 * - `RPC_REMOTE`: the method responded with a JSON-RPC error
 * - `RPC_SCHEMA`: an option or argument is invalid, or a value does not fit its schema
 */
export type RpcErrorCode =
  | 'RPC_TRANSPORT'
  | 'RPC_TIMEOUT'
  | 'RPC_ABORTED'
  | 'RPC_HTTP'
  | 'RPC_RESPONSE'
  | 'RPC_REMOTE'
  | 'RPC_SCHEMA'

/** Details of a failed call. The error code determines which of them are present. */
export type RpcErrorDetails = {
  /** URL of the request, without query and credentials. */
  readonly url?: string
  /** Name of the called method, such as `platform.getHeight`. */
  readonly method?: string
  /** HTTP status of the response, if there was one. */
  readonly httpStatus?: number
  /** Retry delay in milliseconds that the server requested. */
  readonly retryAfterMs?: number
  /** Timeout in milliseconds, for `RPC_TIMEOUT`. */
  readonly timeoutMs?: number
  /** Maximum length of a response in bytes, for an `RPC_RESPONSE` caused by a longer response. */
  readonly maxResponseBytes?: number
  /**
   * True if no connection was opened, so that the server cannot have received the request, for `RPC_TRANSPORT` and
   * `RPC_TIMEOUT`. Browsers don't say this.
   */
  readonly isUnsent?: boolean
  /** JSON-RPC error code, for `RPC_REMOTE`. */
  readonly rpcCode?: number
  /** Message of the JSON-RPC error, exactly as the peer wrote it. */
  readonly rpcMessage?: string
  /** Member `data` of the JSON-RPC error. */
  readonly data?: unknown
  /** Path of the invalid value in the JSON, such as `result.validators[3].weight`. */
  readonly path?: string
  /** Start of the response body, if the body could not be parsed. */
  readonly body?: string
}

/** The error that this package throws. */
export class RpcError extends FirnError<RpcErrorCode> {
  override readonly name = 'RpcError'
  declare readonly details: RpcErrorDetails

  constructor(
    code: RpcErrorCode,
    message: string,
    options: { details?: RpcErrorDetails; cause?: unknown } = {},
  ) {
    super(code, message, { ...options, details: { ...options.details } })
  }
}

/**
 * Returns whether a value is an {@link RpcError}. It checks the code instead of the class, so that it also
 * works with errors from another copy of this package.
 * @example
 * ```ts
 * import { isRpcError, RpcError } from '@firn/rpc'
 *
 * isRpcError(new RpcError('RPC_TIMEOUT', 'no response within 10 seconds')) // true
 * isRpcError(new Error('no response')) // false
 * ```
 */
export function isRpcError(error: unknown): error is RpcError {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('RPC_')
}
