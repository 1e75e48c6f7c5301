import type { Level } from './Common.ts'

/** The output of a command, and the signal that interrupts the command. */
export interface Terminal {
  /** Prints a line of the result. */
  print(line: string): void
  /** Prints a message about progress, which is not part of the command's result. */
  note(line: string): void
  /** Whether the command runs at a terminal that can show a progress display. */
  readonly isInteractive: boolean
  /** Whether the messages of `note` may be colored: they go to a terminal, and `NO_COLOR` is not set. */
  readonly isColored?: boolean
  /** Minimum level of log lines to write, from `--log-level`. */
  readonly logLevel?: Level
  /** Signal that is aborted by Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal
  /** How transactions reach a node; by default the runtime's own `fetch`. */
  readonly fetch?: typeof fetch | undefined
}
