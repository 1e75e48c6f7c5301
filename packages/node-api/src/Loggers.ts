/** Log levels in order of increasing verbosity. */
export const LEVELS = ['OFF', 'FATAL', 'ERROR', 'WARN', 'INFO', 'TRACE', 'DEBUG', 'VERBO'] as const
/** A log level, one of {@link LEVELS}. */
export type Level = (typeof LEVELS)[number]

/** Minimum levels of the log lines written to the file and to the terminal. */
export interface LoggerLevels {
  readonly logLevel: Level
  readonly displayLevel: Level
}

/**
 * The loggers of this process by name: `main`, `vm-factory`, and one for each chain, named after the chain's
 * primary alias.
 */
export interface Loggers {
  /** Returns the names of the loggers in byte order. */
  names(): readonly string[]
  levels(name: string): LoggerLevels | undefined
  /** Changes the levels of one logger; an omitted level stays unchanged. */
  setLevels(name: string, levels: Partial<LoggerLevels>): void
}
