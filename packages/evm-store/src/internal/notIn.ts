import { type RawBuilder, sql } from 'kysely'

/** Returns the condition that a column has none of some values. */
export function notIn(column: RawBuilder<unknown>, values: readonly Uint8Array[]): RawBuilder<boolean> {
  return values.length === 0 ? sql`true` : sql`${column} <> all(${sql.val([...values])}::bytea[])`
}
