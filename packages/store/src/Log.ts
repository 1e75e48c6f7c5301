/** The destination of log lines; a pino logger is one. */
export interface Log {
  readonly info: (details: object, message: string) => void
  readonly warn: (details: object, message: string) => void
}
