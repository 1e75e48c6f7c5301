import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { Program as OptionsProgram, type Terminal } from '@firn/options'
import * as Program from './Program.ts'

/** Exit statuses. */
export const { EXIT } = OptionsProgram

/**
 * Runs a command line and resolves to its exit code. Errors of Firn and of the system are reported in one
 * sentence. All other errors are bugs and are rethrown.
 */
export const run = (argv: readonly string[], terminal: Terminal): Promise<number> =>
  OptionsProgram.run(Program.PROGRAM, {
    argv,
    terminal,
    environment: { HOME: homedir(), ...process.env },
    readFile: (path) => readFileSync(path, 'utf8'),
  })
