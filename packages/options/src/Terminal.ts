import type { Level } from './Common.ts'

/** A command's output, with the signal that ends it. */
export interface Terminal {
  /** Prints a line of the result. */
  print(line: string): void
  /** Prints a note about the work, which is not part of the result. */
  note(line: string): void
  /** Whether a user watches, so that progress can be animated. */
  readonly isInteractive: boolean
  /** Whether notes may be colored: a user watches and `NO_COLOR` is not set. */
  readonly isColored?: boolean
  /** Least severe log level to write, from `--log-level`. */
  readonly logLevel?: Level
  /** Aborted by Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal
}
