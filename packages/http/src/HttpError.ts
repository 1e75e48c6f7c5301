import { FirnError, type FirnErrorOptions } from '@firn/codec'

/**
 * The stable codes of this package's errors:
 *
 * - `HTTP_CONFIGURATION`: an option has a value that cannot be used.
 * - `HTTP_PORT`: a port cannot be bound; the message names the flag that changes it.
 */
export type HttpErrorCode = 'HTTP_CONFIGURATION' | 'HTTP_PORT'

/** The only error class of this package. */
export class HttpError extends FirnError<HttpErrorCode> {
  override readonly name = 'HttpError'

  constructor(code: HttpErrorCode, message: string, options: FirnErrorOptions = {}) {
    super(code, message, options)
  }
}
