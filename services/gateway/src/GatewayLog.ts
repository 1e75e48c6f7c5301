/** Where log lines go; a pino logger is one. */
export interface GatewayLog {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
}
