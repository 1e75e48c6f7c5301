/** The databases of a service: PostgreSQL, or PGlite in folders of the data folder. */
export type DatabaseOptions = {
  readonly databaseUrl?: string | undefined
  readonly dataDir: string
  /** Time-out of requests in milliseconds, which also limits statements on PostgreSQL. */
  readonly requestTimeout?: number | undefined
  /** Whether an embedded database may be used through the service that has it open. */
  readonly attach?: boolean | undefined
}
