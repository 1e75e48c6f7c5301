/** The logger of this service's modules; pino and fastify's logger implement it. */
export interface Logger {
  debug(facts: object, message: string): void
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

/** Returns a logger that discards everything. */
export function silent(): Logger {
  const drop = () => {}
  return { debug: drop, info: drop, warn: drop, error: drop }
}
