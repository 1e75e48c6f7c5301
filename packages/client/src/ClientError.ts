import { FirnError, type FirnErrorOptions } from '@firn/codec'

/**
 * Stable error codes of this package. The codes of error responses follow from their HTTP status:
 * - `CLIENT_BAD_REQUEST`: 400, a parameter or the body is invalid.
 * - `CLIENT_UNAUTHORIZED`: 401, the API key is missing, unknown or revoked.
 * - `CLIENT_FORBIDDEN`: 403, the API key does not have the scope of the endpoint.
 * - `CLIENT_NOT_FOUND`: 404, the requested object or the path does not exist.
 * - `CLIENT_TOO_LARGE`: 413, the body of the request is too large.
 * - `CLIENT_RATE_LIMIT`: 429, too many requests; wait for `retryAfterSeconds`.
 * - `CLIENT_SERVER`: 500, the service has a defect or is not configured for the request.
 * - `CLIENT_UPSTREAM`: 502, a service or node behind the service failed.
 * - `CLIENT_UNAVAILABLE`: 503, the data cannot be read now; wait for `retryAfterSeconds`.
 * - `CLIENT_STATUS`: any other error status, which `status` has.
 * - `CLIENT_CONNECTION`: the request received no response, because the connection failed.
 * - `CLIENT_TIMEOUT`: the response did not arrive within the timeout.
 * - `CLIENT_RESPONSE`: the body of a response is not JSON, or has an integer that JavaScript would round.
 * - `CLIENT_URL`: the URL of the service is invalid.
 */
export type ClientErrorCode =
  | 'CLIENT_BAD_REQUEST'
  | 'CLIENT_UNAUTHORIZED'
  | 'CLIENT_FORBIDDEN'
  | 'CLIENT_NOT_FOUND'
  | 'CLIENT_TOO_LARGE'
  | 'CLIENT_RATE_LIMIT'
  | 'CLIENT_SERVER'
  | 'CLIENT_UPSTREAM'
  | 'CLIENT_UNAVAILABLE'
  | 'CLIENT_STATUS'
  | 'CLIENT_CONNECTION'
  | 'CLIENT_TIMEOUT'
  | 'CLIENT_RESPONSE'
  | 'CLIENT_URL'

/** Code of each HTTP status that the services document. Other statuses have the code `CLIENT_STATUS`. */
const CODES: Readonly<Record<number, ClientErrorCode>> = {
  400: 'CLIENT_BAD_REQUEST',
  401: 'CLIENT_UNAUTHORIZED',
  403: 'CLIENT_FORBIDDEN',
  404: 'CLIENT_NOT_FOUND',
  413: 'CLIENT_TOO_LARGE',
  429: 'CLIENT_RATE_LIMIT',
  500: 'CLIENT_SERVER',
  502: 'CLIENT_UPSTREAM',
  503: 'CLIENT_UNAVAILABLE',
}

/** Returns the code for the HTTP status of an error response. */
export function codeOf(status: number): ClientErrorCode {
  return CODES[status] ?? 'CLIENT_STATUS'
}

/** Facts of an error response. */
export interface ErrorResponse {
  /** HTTP status; undefined if no response was received. */
  readonly status?: number | undefined
  /** Seconds to wait before a retry, if the service said so. */
  readonly retryAfterSeconds?: number | undefined
  /** Parsed body of the response, if it is JSON. */
  readonly body?: unknown
}

/** An error of this package: an error response of a service, or a request without a response. */
export class ClientError extends FirnError<ClientErrorCode> {
  override readonly name = 'ClientError'
  readonly status: number | undefined
  readonly retryAfterSeconds: number | undefined
  readonly body: unknown

  constructor(
    code: ClientErrorCode,
    message: string,
    { status, retryAfterSeconds, body, ...options }: FirnErrorOptions & ErrorResponse = {},
  ) {
    super(code, message, options)
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
    this.body = body
  }
}

/**
 * Returns whether a value is a {@link ClientError}, even if another copy of this package created it.
 *
 * @example
 * ```ts
 * import { createClient, isClientError } from '@firn/client'
 *
 * const fetch = async () => new Response('{"message":"no such block"}', { status: 404 })
 * const client = createClient({ url: 'https://data.example.org', fetch })
 * try {
 *   await client.evm.getBlock({ chainId: '43114', blockId: '7' })
 * } catch (error) {
 *   if (isClientError(error)) console.log(error.code, error.status) // CLIENT_NOT_FOUND 404
 * }
 * ```
 */
export function isClientError(error: unknown): error is ClientError {
  return error instanceof Error && error.name === 'ClientError' && 'code' in error && 'status' in error
}
