/** Destination of log lines; a pino logger fits. */
export interface GatewayLog {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
}
