/**
 * Facts about an event. An error is named `err`, because pino and fastify write its message and stack only then. A text
 * about the cause is named `reason`.
 */
export type Facts = Readonly<Record<string, unknown>> & { readonly error?: never }

/** Destination of log events; the loggers of pino and fastify implement it. */
export interface Logger {
  debug(facts: Facts, message: string): void
  info(facts: Facts, message: string): void
  warn(facts: Facts, message: string): void
  error(facts: Facts, message: string): void
}

/** A logger that discards everything. */
export const silentLogger: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
