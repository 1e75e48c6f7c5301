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
 * @example
 * ```ts
 * import { behind } from '@firn/sql'
 * import { sql } from 'kysely'
 *
 * sql`select * from city where ${behind([sql`name`, sql`id`], ['Bern', 3n], 'asc')}` // (name, id) > ('Bern', 3)
 * ```
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

/**
 * Returns the `order by` clause for columns, all in the same direction.
 * @example
 * ```ts
 * import { orderBy } from '@firn/sql'
 * import { sql } from 'kysely'
 *
 * sql`select * from city ${orderBy([sql`name`, sql`id`])}` // order by name desc, id desc
 * ```
 */
export function orderBy(columns: readonly RawBuilder<unknown>[], order: Order = 'desc'): RawBuilder<unknown> {
  const direction = sql.raw(order)
  return sql`order by ${sql.join(columns.map((column) => sql`${column} ${direction}`))}`
}

/**
 * Returns the SQL condition for the rows of a page, and the `order by` and `limit` clauses. `columns` are the height
 * and the ordinal.
 * @example
 * ```ts
 * import { pageBy } from '@firn/sql'
 * import { sql } from 'kysely'
 *
 * const [isOnPage, page] = pageBy([sql`height`, sql`ordinal`], { after: undefined, order: 'desc', limit: 10 })
 * sql`select * from transfer where ${isOnPage} ${page}`
 * ```
 */
export function pageBy(
  columns: readonly [RawBuilder<unknown>, RawBuilder<unknown>],
  { after, order, limit }: PageQuery,
): [RawBuilder<boolean>, RawBuilder<unknown>] {
  const place = after && [after.height, after.ordinal]
  return [behind(columns, place, order), sql`${orderBy(columns, order)} limit ${limit}`]
}
