import { FirnError, type FirnErrorOptions } from '@firn/codec'

/**
 * Stable error codes of the RPC gateway:
 *
 * - `GATEWAY_PARSE`, `GATEWAY_REQUEST`: the body is not JSON, or not a JSON-RPC request.
 * - `GATEWAY_ROUTE`: the path or the chain in it is unknown.
 * - `GATEWAY_METHOD`: the method is not allowed.
 * - `GATEWAY_TOKEN`: the bypass token is unknown or was revoked.
 * - `GATEWAY_TOO_LARGE`, `GATEWAY_RATE`, `GATEWAY_BUSY`: the caller or the gateway reached a limit.
 * - `GATEWAY_GONE`: the caller disconnected before the answer arrived.
 * - `GATEWAY_UPSTREAM`, `GATEWAY_TIMEOUT`: no node returned an answer, or none in time.
 * - `GATEWAY_LOG`: a line of an access log cannot be counted.
 * - `GATEWAY_CONFIGURATION`: the configuration is invalid.
 */
export type GatewayErrorCode =
  | 'GATEWAY_PARSE'
  | 'GATEWAY_REQUEST'
  | 'GATEWAY_ROUTE'
  | 'GATEWAY_METHOD'
  | 'GATEWAY_TOKEN'
  | 'GATEWAY_TOO_LARGE'
  | 'GATEWAY_RATE'
  | 'GATEWAY_BUSY'
  | 'GATEWAY_GONE'
  | 'GATEWAY_UPSTREAM'
  | 'GATEWAY_TIMEOUT'
  | 'GATEWAY_LOG'
  | 'GATEWAY_CONFIGURATION'

/** Response to an error, and the response code under which the usage statistics count it. */
export interface Refusal {
  /** HTTP status of the response. */
  readonly http: number
  /**
   * Response code in the usage statistics. It equals the HTTP status, except for JSON-RPC errors with status
   * 200.
   */
  readonly counted: number
  /** Code of the JSON-RPC error. */
  readonly rpc: number
}

/** Response to each error code of the gateway. */
export const REFUSALS: { readonly [Code in GatewayErrorCode]: Refusal } = {
  GATEWAY_PARSE: { http: 400, counted: 400, rpc: -32_700 },
  GATEWAY_REQUEST: { http: 400, counted: 400, rpc: -32_600 },
  GATEWAY_ROUTE: { http: 404, counted: 404, rpc: -32_600 },
  // Status 200 as in a node: clients treat any other status as a connection failure.
  GATEWAY_METHOD: { http: 200, counted: 403, rpc: -32_601 },
  GATEWAY_TOKEN: { http: 401, counted: 401, rpc: -32_600 },
  GATEWAY_TOO_LARGE: { http: 413, counted: 413, rpc: -32_600 },
  GATEWAY_RATE: { http: 429, counted: 429, rpc: -32_005 },
  // This status is never sent. By convention, 499 means that the caller disconnected.
  GATEWAY_GONE: { http: 499, counted: 499, rpc: -32_600 },
  GATEWAY_UPSTREAM: { http: 502, counted: 502, rpc: -32_603 },
  GATEWAY_BUSY: { http: 503, counted: 503, rpc: -32_005 },
  GATEWAY_TIMEOUT: { http: 504, counted: 504, rpc: -32_603 },
  GATEWAY_LOG: { http: 500, counted: 500, rpc: -32_603 },
  GATEWAY_CONFIGURATION: { http: 500, counted: 500, rpc: -32_603 },
}

/**
 * An error of the RPC gateway. `details.retryAfterMs` contains the delay before a retry if a retry can help.
 */
export class GatewayError extends FirnError<GatewayErrorCode> {
  override readonly name = 'GatewayError'

  constructor(code: GatewayErrorCode, message: string, options: FirnErrorOptions = {}) {
    super(code, message, options)
  }
}

/** Returns whether a value is a {@link GatewayError}, even if another copy of this package created it. */
export function isGatewayError(error: unknown): error is GatewayError {
  return error instanceof Error && 'code' in error && String(error.code) in REFUSALS
}
