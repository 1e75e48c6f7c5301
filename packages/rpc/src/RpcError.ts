import { FirnError } from '@firn/codec'

/**
 * What went wrong with a call, from the caller's point of view:
 * - `RPC_TRANSPORT`: no answer came (refused, reset, name not found, aborted by the peer)
 * - `RPC_TIMEOUT`: the time-out of the call passed
 * - `RPC_ABORTED`: the caller's own signal was aborted
 * - `RPC_HTTP`: an answer with an HTTP status that is not 2xx and no JSON-RPC error in it
 * - `RPC_RESPONSE`: an answer that is not the JSON-RPC result declared for the method
 * - `RPC_REMOTE`: the method answered with a JSON-RPC error
 * - `RPC_SCHEMA`: a value does not fit the schema it was parsed or formatted with
 */
export type RpcErrorCode =
  | 'RPC_TRANSPORT'
  | 'RPC_TIMEOUT'
  | 'RPC_ABORTED'
  | 'RPC_HTTP'
  | 'RPC_RESPONSE'
  | 'RPC_REMOTE'
  | 'RPC_SCHEMA'

/** Facts of a failed call; which are present depends on the code. */
export type RpcErrorDetails = {
  /** Where the request went, without query and credentials. */
  readonly url?: string
  /** The method called, such as `platform.getHeight`. */
  readonly method?: string
  /** The HTTP status, where an answer came. */
  readonly httpStatus?: number
  /** The retry delay that the server requested. */
  readonly retryAfterMs?: number
  /** The time limit of `RPC_TIMEOUT`. */
  readonly timeoutMs?: number
  /** The cap of `RPC_RESPONSE`, where the answer is longer. */
  readonly maxResponseBytes?: number
  /** The JSON-RPC error code of `RPC_REMOTE`. */
  readonly rpcCode?: number
  /** The text of the JSON-RPC error, exactly as the peer wrote it. */
  readonly rpcMessage?: string
  /** The `data` member of the JSON-RPC error. */
  readonly data?: unknown
  /** The location in the JSON, such as `result.validators[3].weight`. */
  readonly path?: string
  /** The start of a body that could not be parsed. */
  readonly body?: string
}

/** The only error class of this package. */
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
 * Returns whether a value is an {@link RpcError}. Compares the code, so that it works across two copies of
 * this package.
 */
export function isRpcError(error: unknown): error is RpcError {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('RPC_')
}
