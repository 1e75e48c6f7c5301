import { isFirnError } from '@firn/codec'
import { CommanderError } from 'commander'
import * as Program from './Program.ts'
import type { Terminal } from './Terminal.ts'

/** What the process answers to its caller. */
export const EXIT = { ok: 0, failure: 1, usage: 2, interrupted: 130 } as const

const exitCodeOf = (error: unknown, terminal: Terminal): number => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
  if (terminal.signal.aborted) return EXIT.interrupted
  if (!isFirnError(error)) throw error
  terminal.note(`firn: ${error.message}`)
  return EXIT.failure
}

/** Runs the command line; resolves to its exit code. Errors of Firn become one sentence, others are bugs and thrown. */
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
