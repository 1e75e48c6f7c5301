import { FirnError, type FirnErrorOptions } from '@firn/codec'

/**
 * The stable codes of this service's errors:
 *
 * - `GATEWAY_PARSE`, `GATEWAY_REQUEST`: a body that is no JSON, or no request.
 * - `GATEWAY_ROUTE`: there is no such path, or no such chain behind it.
 * - `GATEWAY_METHOD`: the method is not let through.
 * - `GATEWAY_TOKEN`: the bypass token is unknown or was revoked.
 * - `GATEWAY_TOO_LARGE`, `GATEWAY_RATE`, `GATEWAY_BUSY`: a bound of the caller, or of this service.
 * - `GATEWAY_GONE`: the caller went away before the answer had come.
 * - `GATEWAY_UPSTREAM`, `GATEWAY_TIMEOUT`: no node gave an answer, or none in time.
 * - `GATEWAY_LOG`: a line of an access log that can't be counted.
 * - `GATEWAY_CONFIGURATION`: what this service was told can't be.
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

/** How an error is answered, and what is counted of it. */
export interface Refusal {
  /** The status of the answer. */
  readonly http: number
  /** The response code that usage counts: the same, but for what JSON-RPC answers with 200. */
  readonly counted: number
  /** The code of the JSON-RPC error. */
  readonly rpc: number
}

/** The answer to each code. */
export const REFUSALS: { readonly [Code in GatewayErrorCode]: Refusal } = {
  GATEWAY_PARSE: { http: 400, counted: 400, rpc: -32_700 },
  GATEWAY_REQUEST: { http: 400, counted: 400, rpc: -32_600 },
  GATEWAY_ROUTE: { http: 404, counted: 404, rpc: -32_600 },
  // As nodes answer: clients take another status for a failure of the way there.
  GATEWAY_METHOD: { http: 200, counted: 403, rpc: -32_601 },
  GATEWAY_TOKEN: { http: 401, counted: 401, rpc: -32_600 },
  GATEWAY_TOO_LARGE: { http: 413, counted: 413, rpc: -32_600 },
  GATEWAY_RATE: { http: 429, counted: 429, rpc: -32_005 },
  // Nobody gets it; servers count it so.
  GATEWAY_GONE: { http: 499, counted: 499, rpc: -32_600 },
  GATEWAY_UPSTREAM: { http: 502, counted: 502, rpc: -32_603 },
  GATEWAY_BUSY: { http: 503, counted: 503, rpc: -32_005 },
  GATEWAY_TIMEOUT: { http: 504, counted: 504, rpc: -32_603 },
  GATEWAY_LOG: { http: 500, counted: 500, rpc: -32_603 },
  GATEWAY_CONFIGURATION: { http: 500, counted: 500, rpc: -32_603 },
}

/** What this service throws on purpose; `details.retryAfterMs` tells when to come again. */
export class GatewayError extends FirnError<GatewayErrorCode> {
  override readonly name = 'GatewayError'

  constructor(code: GatewayErrorCode, message: string, options: FirnErrorOptions = {}) {
    super(code, message, options)
  }
}

/** True for an error of this service, whichever copy of it threw. */
export function isGatewayError(error: unknown): error is GatewayError {
  return error instanceof Error && 'code' in error && String(error.code) in REFUSALS
}
