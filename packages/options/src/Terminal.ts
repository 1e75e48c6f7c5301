import type { Level } from './Common.ts'

/** Where a command writes, and what ends it. */
export interface Terminal {
  /** Prints a line of the result. */
  print(line: string): void
  /** Prints a line about the work; never part of the result. */
  note(line: string): void
  /** True when a person looks at it: progress may move. */
  readonly isInteractive: boolean
  /** True when notes may have colors: a person looks at them, and `NO_COLOR` is not set. */
  readonly isColored?: boolean
  /** Least severe log line to write, as `--log-level` says. */
  readonly logLevel?: Level
  /** Aborted by Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal
}
