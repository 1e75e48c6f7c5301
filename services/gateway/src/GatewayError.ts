import { FirnError, type FirnErrorOptions } from '@firn/codec'

/**
 * The stable codes of this service's errors:
 *
 * - `GATEWAY_PARSE`, `GATEWAY_REQUEST`: a body is not JSON, or not a request.
 * - `GATEWAY_ROUTE`: unknown path, or unknown chain in it.
 * - `GATEWAY_METHOD`: the method is not allowed.
 * - `GATEWAY_TOKEN`: the bypass token is unknown or was revoked.
 * - `GATEWAY_TOO_LARGE`, `GATEWAY_RATE`, `GATEWAY_BUSY`: a limit of the caller, or of this service.
 * - `GATEWAY_GONE`: the caller disconnected before the answer arrived.
 * - `GATEWAY_UPSTREAM`, `GATEWAY_TIMEOUT`: no node answered, or none in time.
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

/** The answer to an error, and how it is counted. */
export interface Refusal {
  /** The HTTP status of the answer. */
  readonly http: number
  /** The response code that usage counts: the same, except for JSON-RPC errors with status 200. */
  readonly counted: number
  /** The code of the JSON-RPC error. */
  readonly rpc: number
}

/** The answer to each code. */
export const REFUSALS: { readonly [Code in GatewayErrorCode]: Refusal } = {
  GATEWAY_PARSE: { http: 400, counted: 400, rpc: -32_700 },
  GATEWAY_REQUEST: { http: 400, counted: 400, rpc: -32_600 },
  GATEWAY_ROUTE: { http: 404, counted: 404, rpc: -32_600 },
  // As nodes answer: clients treat another status as a failure of the connection.
  GATEWAY_METHOD: { http: 200, counted: 403, rpc: -32_601 },
  GATEWAY_TOKEN: { http: 401, counted: 401, rpc: -32_600 },
  GATEWAY_TOO_LARGE: { http: 413, counted: 413, rpc: -32_600 },
  GATEWAY_RATE: { http: 429, counted: 429, rpc: -32_005 },
  // Never sent; the conventional status for counting it.
  GATEWAY_GONE: { http: 499, counted: 499, rpc: -32_600 },
  GATEWAY_UPSTREAM: { http: 502, counted: 502, rpc: -32_603 },
  GATEWAY_BUSY: { http: 503, counted: 503, rpc: -32_005 },
  GATEWAY_TIMEOUT: { http: 504, counted: 504, rpc: -32_603 },
  GATEWAY_LOG: { http: 500, counted: 500, rpc: -32_603 },
  GATEWAY_CONFIGURATION: { http: 500, counted: 500, rpc: -32_603 },
}

/** Thrown by this service on purpose; `details.retryAfterMs` says when to try again. */
export class GatewayError extends FirnError<GatewayErrorCode> {
  override readonly name = 'GatewayError'

  constructor(code: GatewayErrorCode, message: string, options: FirnErrorOptions = {}) {
    super(code, message, options)
  }
}

/** Returns true for an error of this service, from any copy of it. */
export function isGatewayError(error: unknown): error is GatewayError {
  return error instanceof Error && 'code' in error && String(error.code) in REFUSALS
}
