import type { Dialect } from 'kysely'

/** A row as the database returns it. */
export type Row = Readonly<Record<string, unknown>>

/**
 * Runs the statements of one database transaction. A statement may be submitted before earlier ones have ended. They run
 * in the order in which they were submitted.
 */
export interface Session {
  readonly query: (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>
  /** Appends rows in PostgreSQL's binary COPY format. `target` is the table with its columns. */
  readonly copy: (target: string, rows: Uint8Array) => Promise<void>
}

/** A connection to a PGlite or PostgreSQL database. */
export interface Driver {
  readonly dialect: Dialect
  /** Whether other processes may be connected to the same database. */
  readonly isShared: boolean
  /** Runs `work` in a transaction and rolls the transaction back if `work` fails. */
  readonly transaction: <T>(work: (session: Session) => Promise<T>) => Promise<T>
  /**
   * Runs one statement, on a dedicated connection if the database allows several. It fails instead of waiting
   * long for a response or a lock.
   */
  readonly control: (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>
  /** Calls `listener` for each notification of a channel, and whenever notifications may have been missed. */
  readonly listen: (channel: string, listener: () => void) => void
  /** Closes the connections that kysely doesn't close. */
  readonly close: () => Promise<void>
}
