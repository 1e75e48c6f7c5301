import { FirnError } from '@firn/codec'

/**
 * Codes of the errors of `firn`. `CLI_USAGE`: conflicting options or arguments. `CLI_INPUT`: an invalid
 * argument or file. `CLI_UNRECOGNIZED`: the input has no known format. `CLI_NOT_VALID`: a message does not
 * verify. `CLI_AGGREGATOR`: the aggregator rejected the request or is unreachable. `CLI_FINDINGS`: problems
 * were found in a database. `CLI_INTERRUPTED`: a signal arrived before the work was done.
 */
export type CliErrorCode =
  | 'CLI_USAGE'
  | 'CLI_INPUT'
  | 'CLI_UNRECOGNIZED'
  | 'CLI_NOT_VALID'
  | 'CLI_AGGREGATOR'
  | 'CLI_FINDINGS'
  | 'CLI_INTERRUPTED'

/** The error class of this command. Its message is the only sentence that the user sees. */
export class CliError extends FirnError<CliErrorCode> {
  override readonly name = 'CliError'
}
