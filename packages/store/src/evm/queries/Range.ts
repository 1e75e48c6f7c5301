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
 * Selects, as `t`, the rows of a table that belong to transactions, only those of an address if one is given. The rows
 * are found by their heights: no index has the array of the two addresses.
 */
export function inTransactions(
  table: 'transfer' | 'internal_call',
  transactions: readonly { readonly height: bigint; readonly index: number }[],
  address: Uint8Array | undefined,
): RawBuilder<unknown> {
  const heights = sql.val(transactions.map(({ height }) => String(height)))
  const indices = sql.val(transactions.map(({ index }) => index))
  const isOwn = address === undefined ? sql`true` : sql`${address} = any(array[t.sender, t.recipient])`
  return sql`${sql.table(table)} as t where t.height = any(${heights}::bigint[])
    and (t.height, t.transaction_index) in (select * from unnest(${heights}::bigint[], ${indices}::int[])) and ${isOwn}`
}
