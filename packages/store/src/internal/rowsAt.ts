import { CHAIN_ALIASES } from '@firn/codec'
import { type RawBuilder, sql } from 'kysely'
import { LEDGER_TABLES, type LedgerTable, VERTEX_TABLES } from '../Schema.ts'
import type { Snapshot } from '../Snapshot.ts'

/** Runs a statement and returns its rows. */
export type Run = <Row>(statement: RawBuilder<Row>) => Promise<readonly Row[]>

export type Row = Readonly<Record<string, unknown>>

/** Number of rows read at a time. */
const PAGE = 2000

/**
 * Returns the columns that identify a table's rows, in the order used for the digest. The primary key may
 * list them in another order.
 */
function keysOf(table: LedgerTable): readonly string[] {
  return table === 'transaction_address'
    ? ['chain', 'height', 'position', 'address']
    : (LEDGER_TABLES[table].primaryKey ?? [])
}

/** The time at which a block or vertex was accepted differs between nodes, so it is left out. */
export const LEFT_OUT = ['accepted_at']

/**
 * Names of the columns that contain the chain and the height at which a row was added, for tables that have such
 * columns.
 */
const HEIGHTS: { readonly [T in LedgerTable]?: readonly [chain: string, height: string] } = {
  block: ['chain', 'height'],
  transaction: ['chain', 'decided_height'],
  utxo: ['source', 'height'],
  utxo_address: ['source', 'height'],
}

/**
 * Returns the rows of a table as of a snapshot, in the order of their keys, without the columns in {@link LEFT_OUT}.
 * Databases with the same history return the same rows.
 */
export async function* rowsAt(run: Run, table: LedgerTable, at: Snapshot): AsyncIterable<Row> {
  const keys = keysOf(table)
  const names = Object.keys(LEDGER_TABLES[table].columns).filter((name) => !LEFT_OUT.includes(name))
  const columns = sql.join(names.map((name) => columnAt(table, name, at)))
  const order = sql.join(keys.map((name) => sql.ref(name)))
  let after: RawBuilder<unknown> = sql`true`
  for (;;) {
    const rows = await run(
      sql<Row>`select ${columns} from ${sql.table(table)}
      where ${isThere(table, at)} and ${after} order by ${order} limit ${PAGE}`,
    )
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    after = sql`(${order}) > (${sql.join(keys.map((name) => parameter(last[name])))})`
  }
}

/**
 * Returns an SQL parameter for a cell. Numbers are passed as strings, which the database converts to the type of the
 * column that they are compared with.
 */
function parameter(value: unknown): RawBuilder<unknown> {
  return sql`${typeof value === 'bigint' ? String(value) : value}`
}

/** Returns the SQL condition for rows that exist at a snapshot. */
function isThere(table: LedgerTable, at: Snapshot): RawBuilder<unknown> {
  if (table === 'transaction_address') return IS_DECIDED(at)
  const height = HEIGHTS[table]
  if (table in VERTEX_TABLES) return sql`true`
  if (height === undefined) return sql`since <= ${String(heightOf(table, at))}`
  return sql`${sql.ref(height[1])} <= ${heightsBy(height[0], at)}`
}

/**
 * Rows of `transaction_address` don't contain the height at which the transaction was decided, so the row of the
 * transaction is looked up.
 */
const IS_DECIDED = (
  at: Snapshot,
) => sql`exists (select from transaction t where t.chain = transaction_address.chain
  and t.height = transaction_address.height and t.position = transaction_address.position
  and t.decided_height <= ${heightsBy('t.chain', at)})`

/** Returns an SQL expression for a height of the snapshot: the height of the chain named in `column`. */
function heightsBy(column: string, at: Snapshot): RawBuilder<unknown> {
  const [P, X, C] = CHAIN_ALIASES.map((chain) => sql`${String(at[chain].height)}::int8`)
  return sql`case ${sql.ref(column)} when 'P' then ${P} when 'X' then ${X} else ${C} end`
}

/** Returns the snapshot's height of the X-chain for assets, and of the P-chain for all other records. */
function heightOf(table: LedgerTable, at: Snapshot): bigint {
  return table === 'asset' ? at.X.height : at.P.height
}

/** Selects a column as of the snapshot. UTXOs consumed later and versions ended later still count as live. */
function columnAt(table: LedgerTable, name: string, at: Snapshot): RawBuilder<unknown> {
  const column = sql.ref(name)
  if (name === 'until') {
    const height = String(heightOf(table, at))
    return sql`case when until <= ${height} then until end as until`
  }
  if (!name.startsWith('consumed_')) return sql`${column}`
  return sql`case when consumed_height <= ${heightsBy('chain', at)} then ${column} end as ${column}`
}
