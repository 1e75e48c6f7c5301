import { type RawBuilder, sql } from 'kysely'
import type { Order } from '../../pages/Order.ts'
import type { EvmSnapshot } from '../EvmSnapshot.ts'

/** Blocks from a height, included, to another, excluded; undefined: from the first, or to the snapshot's. */
export interface Range {
  readonly from?: bigint | undefined
  readonly until?: bigint | undefined
}

/** The condition that a column is a height of the range that the snapshot has. */
export function within(column: RawBuilder<unknown>, at: EvmSnapshot, range: Range = {}): RawBuilder<boolean> {
  const { from = 0n, until } = range
  const last = until === undefined || until > at.height ? at.height : until - 1n
  return sql`${column} >= ${from} and ${column} <= ${last}`
}

/** The condition that columns lie behind a place, as one comparison of rows, which an index on all of them serves. */
export function behind(
  columns: readonly RawBuilder<unknown>[],
  after: readonly (bigint | number)[] | undefined,
  order: Order = 'desc',
): RawBuilder<boolean> {
  if (after === undefined) return sql`true`
  const sign = order === 'asc' ? sql`>` : sql`<`
  return sql`(${sql.join(columns)}) ${sign} (${sql.join(after.map((value) => sql`${value}`))})`
}

/** A range as far as it lies behind a place: partitions are chosen by it, which a comparison of rows doesn't do. */
export function narrowed(
  { from, until }: Range,
  after: { readonly height: bigint } | undefined,
  order: Order = 'desc',
): Range {
  if (after === undefined) return { from, until }
  const { height } = after
  if (order === 'asc') return { from: from === undefined || from < height ? height : from, until }
  return { from, until: until === undefined || until > height ? height + 1n : until }
}

/** Columns in an order, all in the same direction. */
export function by(columns: readonly RawBuilder<unknown>[], order: Order = 'desc'): RawBuilder<unknown> {
  const direction = sql.raw(order)
  return sql`order by ${sql.join(columns.map((column) => sql`${column} ${direction}`))}`
}
