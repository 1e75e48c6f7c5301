import { FirnError, type FirnErrorOptions } from '@firn/codec'

/** The stable codes of this service's errors; {@link STATUS} gives the HTTP status of each. */
export type DataApiErrorCode =
  | 'DATA_PARAMETER'
  | 'DATA_PAGE_TOKEN'
  | 'DATA_BODY_TOO_LARGE'
  | 'DATA_KEY'
  | 'DATA_SCOPE'
  | 'DATA_RATE_LIMIT'
  | 'DATA_ROUTE'
  | 'DATA_NOT_FOUND'
  | 'DATA_CONFLICT'
  | 'DATA_UPSTREAM'
  | 'DATA_UNAVAILABLE'
  | 'DATA_CONFIGURATION'
  | 'DATA_INTERNAL'

/** The HTTP status of each code, and its name in the body's `error`. */
export const STATUS: { readonly [Code in DataApiErrorCode]: readonly [status: number, error: string] } = {
  DATA_PARAMETER: [400, 'Bad Request'],
  DATA_PAGE_TOKEN: [400, 'Bad Request'],
  DATA_CONFLICT: [400, 'Bad Request'],
  DATA_KEY: [401, 'Unauthorized'],
  DATA_SCOPE: [403, 'Forbidden'],
  DATA_ROUTE: [404, 'Not Found'],
  DATA_NOT_FOUND: [404, 'Not Found'],
  DATA_BODY_TOO_LARGE: [413, 'Payload Too Large'],
  DATA_RATE_LIMIT: [429, 'Too Many Requests'],
  DATA_INTERNAL: [500, 'Internal Server Error'],
  DATA_CONFIGURATION: [500, 'Internal Server Error'],
  DATA_UPSTREAM: [502, 'Bad Gateway'],
  DATA_UNAVAILABLE: [503, 'Service Unavailable'],
}

/** Thrown by this service on purpose. */
export class DataApiError extends FirnError<DataApiErrorCode> {
  override readonly name = 'DataApiError'

  constructor(code: DataApiErrorCode, message: string, options: FirnErrorOptions = {}) {
    super(code, message, options)
  }
}

/** Returns true for an error of this service, from any copy of it. */
export function isDataApiError(error: unknown): error is DataApiError {
  return error instanceof Error && 'code' in error && String(error.code) in STATUS
}
