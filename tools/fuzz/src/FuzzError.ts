import { FirnError } from '@firn/codec'

/** `FUZZ_USAGE`: an argument is invalid. `FUZZ_CORPUS`: a target has no seed inputs. */
export type FuzzErrorCode = 'FUZZ_USAGE' | 'FUZZ_CORPUS'

/** The error of this tool itself; errors of the code under test are findings. */
export class FuzzError extends FirnError<FuzzErrorCode> {
  override readonly name = 'FuzzError'
}
