import { FirnError } from '@firn/codec'

/**
 * `CLI_USAGE`: options or arguments that do not go together. `CLI_INPUT`: an argument or a file is not what the command takes. `CLI_UNRECOGNIZED`: nothing known has this form.
 * `CLI_NOT_VALID`: a message does not verify. `CLI_AGGREGATOR`: the aggregator refused or cannot be reached. `CLI_FINDINGS`:
 * something is wrong with a database. `CLI_INTERRUPTED`: a signal came before the work was done.
 */
export type CliErrorCode =
  | 'CLI_USAGE'
  | 'CLI_INPUT'
  | 'CLI_UNRECOGNIZED'
  | 'CLI_NOT_VALID'
  | 'CLI_AGGREGATOR'
  | 'CLI_FINDINGS'
  | 'CLI_INTERRUPTED'

/** The error of this command; its message is the one sentence that a person reads. */
export class CliError extends FirnError<CliErrorCode> {
  override readonly name = 'CliError'
}
