/** A statement that a store has run on its database. */
export interface Statement {
  /** SQL with placeholders for most values. */
  readonly text: string
  readonly milliseconds: number
  /** Number of rows that it returned; 0 if it failed, and for copies into a table. */
  readonly rows: number
  /** Code of the error with which it failed, such as a SQLSTATE. */
  readonly failure?: string | undefined
}

/** Name of the diagnostics channel of Node.js on which stores publish each {@link Statement}, if anyone subscribes. */
export const CHANNEL = 'firn.store.statement'
