import { type RawBuilder, sql } from 'kysely'

/** Sort order of a list: `asc` is oldest first, `desc` is newest first. */
export type Order = 'asc' | 'desc'

/** A position in a list: the height of the item's block and the index of the item in that block. */
export interface Place {
  readonly height: bigint
  readonly ordinal: number
}

/** A page of a list: its order, its size and the position after which it starts. */
export interface PageQuery {
  readonly after: Place | undefined
  readonly order: Order
  readonly limit: number
}

/**
 * Returns the SQL condition that a row comes after a position in the sort order of `columns`. It is a single row
 * comparison, so an index on all columns can be used.
 */
export function behind(
  columns: readonly RawBuilder<unknown>[],
  after: readonly unknown[] | undefined,
  order: Order = 'desc',
): RawBuilder<boolean> {
  if (after === undefined) return sql`true`
  const sign = order === 'asc' ? sql`>` : sql`<`
  return sql`(${sql.join(columns)}) ${sign} (${sql.join(after)})`
}

/** Returns the `order by` clause for columns, all in the same direction. */
export function by(columns: readonly RawBuilder<unknown>[], order: Order = 'desc'): RawBuilder<unknown> {
  const direction = sql.raw(order)
  return sql`order by ${sql.join(columns.map((column) => sql`${column} ${direction}`))}`
}

/**
 * Returns the SQL condition for the rows of a page, and the `order by` and `limit` clauses. `columns` are the height
 * and the ordinal.
 */
export function pageBy(
  columns: readonly [RawBuilder<unknown>, RawBuilder<unknown>],
  { after, order, limit }: PageQuery,
): [RawBuilder<boolean>, RawBuilder<unknown>] {
  const place = after && [after.height, after.ordinal]
  return [behind(columns, place, order), sql`${by(columns, order)} limit ${limit}`]
}
