import { isFirnError } from '@firn/codec'
import { CommanderError } from 'commander'
import * as Program from './Program.ts'
import type { Terminal } from './Terminal.ts'

/** What the process answers to its caller. */
export const EXIT = { ok: 0, failure: 1, usage: 2, interrupted: 130 } as const

/** What the operating system refused: a port that is taken, a file that may not be read. */
const isSystemError = (error: unknown): error is Error => error instanceof Error && 'syscall' in error

const exitCodeOf = (error: unknown, terminal: Terminal): number => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
  if (terminal.signal.aborted) return EXIT.interrupted
  if (!isFirnError(error) && !isSystemError(error)) throw error
  terminal.note(`firn: ${error.message}`)
  return EXIT.failure
}

/** Runs the command line; resolves to its exit code. Errors of Firn and of the system become one sentence, others are bugs and thrown. */
export const run = async (argv: readonly string[], terminal: Terminal): Promise<number> => {
  let code: number = EXIT.ok
  const onExit = (status: number) => {
    code = status
  }
  try {
    await Program.create(terminal, onExit).parseAsync([...argv], { from: 'user' })
    return code
  } catch (error) {
    return exitCodeOf(error, terminal)
  }
}
