/** Where a command writes, and what ends it. */
export interface Terminal {
  /** Prints a line of the result. */
  print(line: string): void
  /** Prints a line about the work; never part of the result. */
  note(line: string): void
  /** True when a person looks at it: progress may move. */
  readonly isInteractive: boolean
  /** Aborted by Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal
}
