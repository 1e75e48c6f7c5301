import type { Dialect } from 'kysely'

/** A row as the database returns it. */
export type Row = Readonly<Record<string, unknown>>

/** One transaction's statements. */
export interface Session {
  readonly query: (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>
  /** Appends rows in PostgreSQL's binary COPY format: `target` is the table with its columns. */
  readonly copy: (target: string, rows: Uint8Array) => Promise<void>
}

/** A kind of database. */
export interface Driver {
  readonly dialect: Dialect
  /** True when other processes may be connected too. */
  readonly isShared: boolean
  /** Runs `work` in a transaction, which is rolled back when `work` fails. */
  readonly transaction: <T>(work: (session: Session) => Promise<T>) => Promise<T>
  /**
   * Runs one statement, on a dedicated connection where the database has more than one. It fails rather than
   * waiting long for an answer or a lock.
   */
  readonly control: (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>
  /** Calls `listener` on notifications of a channel, and whenever some may have been missed. */
  readonly listen: (channel: string, listener: () => void) => void
  /** Closes what kysely doesn't close. */
  readonly close: () => Promise<void>
}
