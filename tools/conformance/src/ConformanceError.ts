import { FirnError } from '@firn/codec'

/**
 * Codes of {@link ConformanceError}:
 * - `CONFORMANCE_DIFFERENCE`: the result of the code differs from the case; `details` contain the place, the
 * expected value and the actual value.
 * - `CONFORMANCE_CASE`: a case lacks a field, or a field has an unexpected form.
 * - `CONFORMANCE_FOLDER`: a folder or a file in it cannot be read, or contains neither vectors nor
 * recordings.
 * - `CONFORMANCE_USAGE`: the command line has no folder, or an unknown option.
 */
export type ConformanceErrorCode =
  | 'CONFORMANCE_DIFFERENCE'
  | 'CONFORMANCE_CASE'
  | 'CONFORMANCE_FOLDER'
  | 'CONFORMANCE_USAGE'

/** The error class of this package. Suites convert these errors to outcomes. */
export class ConformanceError extends FirnError<ConformanceErrorCode> {
  override readonly name = 'ConformanceError'
}
