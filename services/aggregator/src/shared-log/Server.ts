/** A row as the database returns it. */
export type Row = Readonly<Record<string, unknown>>

/** Runs one SQL statement with the parameters `$1`, `$2`, … and returns its rows. */
export type Query = (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>

/** A connection to a PostgreSQL server, as far as the fleet needs it. */
export interface Server {
  /** Runs a statement on any connection. The server ends it after a few seconds. */
  readonly query: Query
  /** Runs `work` in one transaction without a time limit, and rolls it back if `work` fails. */
  readonly transaction: (work: (query: Query) => Promise<void>) => Promise<void>
  /** Calls `listener` for each notification of a channel. Notifications may be lost. */
  readonly listen: (channel: string, listener: () => void) => void
  readonly close: () => Promise<void>
}
