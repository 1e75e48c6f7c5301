import { FirnError } from '@firn/codec'

/**
 * Codes of {@link ReadmesError}:
 * - `READMES_COMMAND`: a command failed, did not end, or did not become ready.
 * - `READMES_PLACEHOLDER`: a command has a placeholder or a host without a stand-in.
 * - `READMES_SETUP`: the clone, the network or a server that the commands need could not be set up.
 * - `READMES_USAGE`: wrong command line.
 */
export type ReadmesErrorCode = 'READMES_COMMAND' | 'READMES_PLACEHOLDER' | 'READMES_SETUP' | 'READMES_USAGE'

/** Thrown by everything in this package. */
export class ReadmesError extends FirnError<ReadmesErrorCode> {
  override readonly name = 'ReadmesError'
}
