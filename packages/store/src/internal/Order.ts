import { type RawBuilder, sql } from 'kysely'

/** Oldest or newest first. */
export type Order = 'asc' | 'desc'

/** A place in a list: the block's height, and the position in the block. */
export interface Place {
  readonly height: bigint
  readonly ordinal: number
}

/** A page of a list: the places after one, in an order. */
export interface PageQuery {
  readonly after: Place | undefined
  readonly order: Order
  readonly limit: number
}

/**
 * Returns the condition that two columns come after a place, as one row comparison, which an index on both
 * can serve.
 */
export function behind(columns: readonly [string, string], { after, order }: PageQuery): RawBuilder<boolean> {
  if (after === undefined) return sql`true`
  const [height, ordinal] = [sql.ref(columns[0]), sql.ref(columns[1])]
  const sign = order === 'asc' ? sql`>` : sql`<`
  return sql`(${height}, ${ordinal}) ${sign} (${after.height}, ${after.ordinal})`
}
