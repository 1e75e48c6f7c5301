/** Log levels, most severe first. */
export const LEVELS = ['OFF', 'FATAL', 'ERROR', 'WARN', 'INFO', 'TRACE', 'DEBUG', 'VERBO'] as const
/** One of {@link LEVELS}. */
export type Level = (typeof LEVELS)[number]

/** Minimum levels of lines in the file and on the terminal. */
export interface LoggerLevels {
  readonly logLevel: Level
  readonly displayLevel: Level
}

/**
 * The loggers of this process by name: `main`, `vm-factory`, and one per chain, named after its primary
 * alias.
 */
export interface Loggers {
  /** Returns the names, sorted by bytes. */
  names(): readonly string[]
  levels(name: string): LoggerLevels | undefined
  /** Changes the levels of one logger; an omitted level stays unchanged. */
  setLevels(name: string, levels: Partial<LoggerLevels>): void
}
