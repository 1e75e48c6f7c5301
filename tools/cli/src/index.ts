/**
 * The `firn` command as a library: runs a command line on a given terminal.
 *
 * @module
 */

export type { Terminal } from '@firn/options'
export { CliError, type CliErrorCode } from './CliError.ts'
export * as Decode from './commands/Decode.ts'
export * as Verify from './commands/Verify.ts'
export * as Run from './Run.ts'
export * as Tree from './Tree.ts'
