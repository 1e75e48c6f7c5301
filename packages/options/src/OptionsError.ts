import { FirnError, type FirnErrorOptions } from '@firn/codec'

/** The code of this package's errors: an invalid flag, variable, configuration file key or argument. */
export type OptionsErrorCode = 'OPTIONS_USAGE'

/** The error class of this package. Its message names the invalid flag, variable, key or argument. */
export class OptionsError extends FirnError<OptionsErrorCode> {
  override readonly name = 'OptionsError'

  constructor(message: string, options: FirnErrorOptions = {}) {
    super('OPTIONS_USAGE', message, options)
  }
}
