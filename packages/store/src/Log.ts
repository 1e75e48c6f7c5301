/** A destination of log lines, such as a pino logger. */
export interface Log {
  readonly info: (details: object, message: string) => void
  readonly warn: (details: object, message: string) => void
}
