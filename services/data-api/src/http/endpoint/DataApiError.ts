import { FirnError, type FirnErrorOptions } from '@firn/codec'

/**
 * Stable error codes of this service. {@link STATUS} gives the HTTP status of each code.
 * - `DATA_PARAMETER`: a parameter or the body is invalid (400).
 * - `DATA_PAGE_TOKEN`: the page token does not belong to this list, or a reorg replaced its blocks (400).
 * - `DATA_CONFLICT`: the transaction has no message that validators can sign (400).
 * - `DATA_KEY`: the API key is unknown or revoked (401).
 * - `DATA_SCOPE`: the API key does not have the scope of the endpoint (403).
 * - `DATA_ROUTE`: no endpoint has this path (404).
 * - `DATA_NOT_FOLLOWED`: the service does not follow the C-chain; `reason` is `C_CHAIN_NOT_FOLLOWED` (404).
 * - `DATA_NOT_FOUND`: the requested object does not exist (404).
 * - `DATA_GONE`: the requested changes were removed; `oldestCursor` is the cursor to continue from (410).
 * - `DATA_BODY_TOO_LARGE`: the body of the request is too large (413).
 * - `DATA_RATE_LIMIT`: the compute units of the caller are spent; wait for the seconds in `retry-after` (429).
 * - `DATA_INTERNAL`: the service has a defect; its log has the id of the request (500).
 * - `DATA_CONFIGURATION`: the service is not configured for the request (500).
 * - `DATA_UPSTREAM`: the signature aggregator or a node failed (502).
 * - `DATA_UNAVAILABLE`: the data cannot be read now; wait for the seconds in `retry-after` (503).
 */
export type DataApiErrorCode =
  | 'DATA_PARAMETER'
  | 'DATA_PAGE_TOKEN'
  | 'DATA_BODY_TOO_LARGE'
  | 'DATA_KEY'
  | 'DATA_SCOPE'
  | 'DATA_RATE_LIMIT'
  | 'DATA_ROUTE'
  | 'DATA_NOT_FOLLOWED'
  | 'DATA_NOT_FOUND'
  | 'DATA_CONFLICT'
  | 'DATA_GONE'
  | 'DATA_UPSTREAM'
  | 'DATA_UNAVAILABLE'
  | 'DATA_CONFIGURATION'
  | 'DATA_INTERNAL'

/** HTTP status of each code, and its reason phrase in the `error` member of the body. */
export const STATUS: { readonly [Code in DataApiErrorCode]: readonly [status: number, error: string] } = {
  DATA_PARAMETER: [400, 'Bad Request'],
  DATA_PAGE_TOKEN: [400, 'Bad Request'],
  DATA_CONFLICT: [400, 'Bad Request'],
  DATA_KEY: [401, 'Unauthorized'],
  DATA_SCOPE: [403, 'Forbidden'],
  DATA_ROUTE: [404, 'Not Found'],
  DATA_NOT_FOLLOWED: [404, 'Not Found'],
  DATA_NOT_FOUND: [404, 'Not Found'],
  DATA_GONE: [410, 'Gone'],
  DATA_BODY_TOO_LARGE: [413, 'Payload Too Large'],
  DATA_RATE_LIMIT: [429, 'Too Many Requests'],
  DATA_INTERNAL: [500, 'Internal Server Error'],
  DATA_CONFIGURATION: [500, 'Internal Server Error'],
  DATA_UPSTREAM: [502, 'Bad Gateway'],
  DATA_UNAVAILABLE: [503, 'Service Unavailable'],
}

/** An error of this service that callers can receive. */
export class DataApiError extends FirnError<DataApiErrorCode> {
  override readonly name = 'DataApiError'

  constructor(code: DataApiErrorCode, message: string, options: FirnErrorOptions = {}) {
    super(code, message, options)
  }
}

/** Returns whether a value is a {@link DataApiError}, even if another copy of this package created it. */
export function isDataApiError(error: unknown): error is DataApiError {
  return error instanceof Error && 'code' in error && String(error.code) in STATUS
}
