/** Logger of the gateway. A pino logger implements this interface. */
export interface GatewayLog {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
}
