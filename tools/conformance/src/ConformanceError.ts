import { FirnError } from '@firn/codec'

/**
 * Codes of {@link ConformanceError}:
 * - `CONFORMANCE_DIFFERENCE`: the code gave another result than the case says; `details` hold where, expected and actual.
 * - `CONFORMANCE_CASE`: a case lacks a field, or a field is not of the form that its suite reads.
 * - `CONFORMANCE_FOLDER`: a folder or a file in it cannot be read, or holds neither vectors nor recordings.
 * - `CONFORMANCE_USAGE`: the command line names no folder, or an unknown option.
 */
export type ConformanceErrorCode =
  | 'CONFORMANCE_DIFFERENCE'
  | 'CONFORMANCE_CASE'
  | 'CONFORMANCE_FOLDER'
  | 'CONFORMANCE_USAGE'

/** Thrown by everything in this package; suites turn it into outcomes. */
export class ConformanceError extends FirnError<ConformanceErrorCode> {
  override readonly name = 'ConformanceError'
}
