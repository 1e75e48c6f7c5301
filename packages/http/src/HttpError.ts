import { FirnError, type FirnErrorOptions } from '@firn/codec'

/**
 * Codes of {@link HttpError}:
 *
 * - `HTTP_CONFIGURATION`: an option has an invalid value.
 * - `HTTP_FORWARDED`: `x-forwarded-for` does not contain the caller's address, although `--proxies` expects it (400).
 * - `HTTP_KEY`: a text does not identify exactly one valid API key.
 * - `HTTP_PORT`: a port cannot be bound. The message names the flag that changes the port.
 * - `HTTP_SCHEMA`: two different schemas of an OpenAPI document have the same title.
 * - `HTTP_SOCKET`: the Unix socket for operators cannot be created.
 * - `HTTP_TOKEN`: the file with the token for operators cannot be written or read.
 */
export type HttpErrorCode =
  | 'HTTP_CONFIGURATION'
  | 'HTTP_FORWARDED'
  | 'HTTP_KEY'
  | 'HTTP_PORT'
  | 'HTTP_SOCKET'
  | 'HTTP_TOKEN'
  | 'HTTP_SCHEMA'

/** The error that this package throws. */
export class HttpError extends FirnError<HttpErrorCode> {
  override readonly name = 'HttpError'

  constructor(code: HttpErrorCode, message: string, options: FirnErrorOptions = {}) {
    super(code, message, options)
  }
}
