import { FirnError, type FirnErrorOptions } from '@firn/codec'

/** The one code of this package's errors: a flag, a variable, a key of the configuration file or an argument that cannot be used. */
export type OptionsErrorCode = 'OPTIONS_USAGE'

/** The one error class of this package. Its message names the place and what may stand there. */
export class OptionsError extends FirnError<OptionsErrorCode> {
  override readonly name = 'OptionsError'

  constructor(message: string, options: FirnErrorOptions = {}) {
    super('OPTIONS_USAGE', message, options)
  }
}
