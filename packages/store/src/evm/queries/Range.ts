import { type RawBuilder, sql } from 'kysely'
import type { Order } from '../../internal/Order.ts'
import type { EvmSnapshot } from '../EvmSnapshot.ts'

/**
 * A range of blocks from a height (inclusive) to another height (exclusive). An undefined start means the
 * first block, and an undefined end means the snapshot's block, inclusive.
 */
export interface Range {
  readonly from?: bigint | undefined
  readonly until?: bigint | undefined
}

/** Returns the SQL condition that a height column is within both the range and the snapshot. */
export function within(column: RawBuilder<unknown>, at: EvmSnapshot, range: Range = {}): RawBuilder<boolean> {
  const { from = 0n, until } = range
  const last = until === undefined || until > at.height ? at.height : until - 1n
  return sql`${column} >= ${from} and ${column} <= ${last}`
}

/**
 * Returns the part of a range that can contain rows after a position. The planner prunes partitions by a range, but
 * not by a row comparison.
 */
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

/**
 * Selects, as `t`, the rows of a table that belong to transactions. `OFFSET 0` forces one index lookup per block.
 * Otherwise the planner might read all rows of an address to which a caller restricts the rows.
 */
export function inTransactions(
  table: 'transfer' | 'internal_call',
  transactions: readonly { readonly height: bigint; readonly index: number }[],
): RawBuilder<unknown> {
  const heights = sql.val(transactions.map(({ height }) => String(height)))
  const indices = sql.val(transactions.map(({ index }) => index))
  return sql`(select height, array_agg(index) as indices
      from unnest(${heights}::bigint[], ${indices}::int[]) as given (height, index) group by height) as given
    cross join lateral (select * from ${sql.table(table)} as t
      where t.height = given.height and t.transaction_index = any(given.indices) offset 0) as t`
}
