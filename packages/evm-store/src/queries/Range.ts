import type { Order } from '@firn/sql'
import { type RawBuilder, sql } from 'kysely'
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
 * Returns the SQL condition that a column has a value, and `t.height` is within both the range and the snapshot. Sort by
 * the column first, so that the rows come from an index of the column and the height. Value and height are compared as
 * rows; with equality of the value, the planner may read all rows of the range in the order of the primary key. Both
 * bounds are inclusive, because the planner looks only at the first column: it expects no row from the lowest value to
 * below the lowest value, and then reads and sorts all its rows.
 */
export function ofValue(
  column: RawBuilder<unknown>,
  value: RawBuilder<unknown>,
  at: EvmSnapshot,
  { from = 0n, until = at.height + 1n }: Range,
): RawBuilder<boolean> {
  return sql`(${column}, t.height) >= (${value}, ${from}::int8) and (${column}, t.height) <= (${value}, ${until - 1n}::int8)`
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
 * Conditions, one of which each row of a table meets, under which the index of an address is sorted by height: the index of
 * transfers is sorted by standard first.
 */
const PARTS = {
  transfer: [20, 721, 1155].map((standard) => sql`t.standard = ${sql.lit(standard)}`),
  internal_call: [sql`true`],
}

/**
 * Selects, as `t`, the rows of a table that belong to transactions, only rows of an address if one is given. Without an
 * address, all rows of the transactions' blocks are read. With an address, all its rows from the first to the last of the
 * blocks are read, so the transactions should be consecutive ones of the address.
 */
export function inTransactions(
  table: 'transfer' | 'internal_call',
  transactions: readonly TransactionKey[],
  address: Uint8Array | undefined,
): RawBuilder<unknown> {
  const heights = sql.val(transactions.map(({ height }) => String(height)))
  const indices = sql.val(transactions.map(({ index }) => index))
  const rows = address === undefined ? sql.table(table) : sql`(${ownRows(table, transactions, address)})`
  const inBlocks = address === undefined ? sql`t.height = any(${heights}::bigint[])` : sql`true`
  return sql`${rows} as t where ${inBlocks}
    and (t.height, t.transaction_index) in (select * from unnest(${heights}::bigint[], ${indices}::int[]))`
}

interface TransactionKey {
  readonly height: bigint
  readonly index: number
}

/** Selects the rows from or to an address, each once, from the first to the last block of transactions. */
function ownRows(
  table: 'transfer' | 'internal_call',
  transactions: readonly TransactionKey[],
  address: Uint8Array,
): RawBuilder<unknown> {
  const heights = transactions.map(({ height }) => height).toSorted((one, other) => (one < other ? -1 : 1))
  const owners = [sql`t.sender = ${address}`, sql`t.recipient = ${address} and t.sender <> ${address}`]
  const parts = owners.flatMap((owner) =>
    PARTS[table].map(
      (part) => sql`select * from ${sql.table(table)} as t
        where ${owner} and ${part} and t.height >= ${heights[0]} and t.height <= ${heights.at(-1)}`,
    ),
  )
  return sql.join(parts, sql` union all `)
}
