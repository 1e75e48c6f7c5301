import { FirnError } from '@firn/codec'

/** `FUZZ_USAGE`: an argument is invalid. `FUZZ_CORPUS`: a target has no seed inputs. */
export type FuzzErrorCode = 'FUZZ_USAGE' | 'FUZZ_CORPUS'

/** Error class of the fuzzer itself. Errors of the code under test are findings instead. */
export class FuzzError extends FirnError<FuzzErrorCode> {
  override readonly name = 'FuzzError'
}
