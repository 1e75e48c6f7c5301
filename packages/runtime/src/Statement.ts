/** A statement that a store has run on its database. */
export interface Statement {
  /** SQL with placeholders for most values. */
  readonly text: string
  readonly milliseconds: number
  /** Number of rows that it returned; 0 if it failed. */
  readonly rows: number
}

/** Name of the diagnostics channel of Node.js on which stores publish each {@link Statement}, if anyone subscribes. */
export const CHANNEL = 'firn.store.statement'
