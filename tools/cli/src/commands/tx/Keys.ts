import { CliError } from '../../CliError.ts'
import * as Input from '../../Input.ts'
import * as KeyCommands from '../KeyCommands.ts'

/**
 * Reads private keys from a file or standard input, one per line, as `PrivateKey-…` or 64 hex digits. Keys
 * are never arguments, and errors never contain the input.
 * @throws CliError `CLI_USAGE` if there is no such file; `CLI_INPUT` if a key is malformed
 */
export const read = (path: string): Uint8Array[] =>
  textOf(path)
    .split(/\s+/)
    .map((line, index) => KeyCommands.parseKey(line, `key ${index + 1} of --keys`))

const textOf = (path: string): string => {
  try {
    return path === '-' ? Input.text('-') : Input.file(path)
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    throw new CliError('CLI_USAGE', 'pass --keys with the name of a file, or - for standard input')
  }
}
