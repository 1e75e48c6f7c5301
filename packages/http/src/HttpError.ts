import { FirnError, type FirnErrorOptions } from '@firn/codec'

/**
 * The stable codes of this package's errors:
 *
 * - `HTTP_CONFIGURATION`: an option has a value that cannot be used.
 */
export type HttpErrorCode = 'HTTP_CONFIGURATION'

/** The one error class of this package. */
export class HttpError extends FirnError<HttpErrorCode> {
  override readonly name = 'HttpError'

  constructor(code: HttpErrorCode, message: string, options: FirnErrorOptions = {}) {
    super(code, message, options)
  }
}
