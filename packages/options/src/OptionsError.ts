import { FirnError, type FirnErrorOptions } from '@firn/codec'

/**
 * The code of this package's errors:
 * - `OPTIONS_USAGE`: a flag, variable, key of the configuration file or argument is invalid.
 */
export type OptionsErrorCode = 'OPTIONS_USAGE'

/** The error class of this package. Its message names the invalid flag, variable, key or argument. */
export class OptionsError extends FirnError<OptionsErrorCode> {
  override readonly name = 'OptionsError'

  constructor(message: string, options: FirnErrorOptions = {}) {
    super('OPTIONS_USAGE', message, options)
  }
}
