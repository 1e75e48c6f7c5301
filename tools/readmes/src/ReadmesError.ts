import { FirnError } from '@firn/codec'

/**
 * Codes of {@link ReadmesError}:
 * - `READMES_COMMAND`: a command failed, did not end, or did not become ready.
 * - `READMES_PLACEHOLDER`: a command contains a placeholder without a value, or a host that no server on
 * loopback replaces.
 * - `READMES_SETUP`: the clone, the network or a server that the commands need could not be set up.
 * - `READMES_USAGE`: the command line is invalid.
 */
export type ReadmesErrorCode = 'READMES_COMMAND' | 'READMES_PLACEHOLDER' | 'READMES_SETUP' | 'READMES_USAGE'

/** Error class of this package. */
export class ReadmesError extends FirnError<ReadmesErrorCode> {
  override readonly name = 'ReadmesError'
}
