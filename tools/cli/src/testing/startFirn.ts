import type { Terminal } from '@firn/options'
import * as Run from '../Run.ts'

/** A running `firn` command. For tests only. */
export interface Started {
  /** Output of the command so far, from standard output and standard error. */
  readonly lines: readonly string[]
  readonly notes: readonly string[]
  /** Interrupts the command, like Ctrl-C. */
  stop(): void
  /** Resolves to the exit code when the command has ended. */
  readonly code: Promise<number>
}

/** Starts a `firn` command in this process. For tests only. */
export function startFirn(argv: readonly string[], more: Pick<Terminal, 'fetch'> = {}): Started {
  const stop = new AbortController()
  const lines: string[] = []
  const notes: string[] = []
  const terminal = {
    print: (line: string) => void lines.push(line),
    note: (line: string) => void notes.push(line),
    isInteractive: false,
    signal: stop.signal,
    ...more,
  }
  return { lines, notes, stop: () => stop.abort(), code: Run.run(argv, terminal) }
}
