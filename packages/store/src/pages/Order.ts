import { type RawBuilder, sql } from 'kysely'

/** Oldest or newest first. */
export type Order = 'asc' | 'desc'

/** A place among what blocks made: the block's height, and the place in there. */
export interface Place {
  readonly height: bigint
  readonly ordinal: number
}

/** What one page asks for: the places behind one, in an order. */
export interface PageQuery {
  readonly after: Place | undefined
  readonly order: Order
  readonly limit: number
}

/** The condition that two columns lie behind a place, as one comparison of rows, which an index on both serves. */
export function behind(columns: readonly [string, string], { after, order }: PageQuery): RawBuilder<boolean> {
  if (after === undefined) return sql`true`
  const [height, ordinal] = [sql.ref(columns[0]), sql.ref(columns[1])]
  const sign = order === 'asc' ? sql`>` : sql`<`
  return sql`(${height}, ${ordinal}) ${sign} (${after.height}, ${after.ordinal})`
}
