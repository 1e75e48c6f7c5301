import { type RawBuilder, sql } from 'kysely'

/** Sort order of a list: `asc` is oldest first, `desc` is newest first. */
export type Order = 'asc' | 'desc'

/** A position in a list: the block's height and the index in the block. */
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
 * Returns the SQL condition that two columns come after a position. It is a single row comparison, so an
 * index on both columns can be used.
 */
export function behind(columns: readonly [string, string], { after, order }: PageQuery): RawBuilder<boolean> {
  if (after === undefined) return sql`true`
  const [height, ordinal] = [sql.ref(columns[0]), sql.ref(columns[1])]
  const sign = order === 'asc' ? sql`>` : sql`<`
  return sql`(${height}, ${ordinal}) ${sign} (${after.height}, ${after.ordinal})`
}
