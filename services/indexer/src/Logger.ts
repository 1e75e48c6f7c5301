/** Logger interface of this service, satisfied by pino and fastify's logger. */
export interface Logger {
  debug(facts: object, message: string): void
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

/** A logger that discards everything. */
export const SILENT: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
