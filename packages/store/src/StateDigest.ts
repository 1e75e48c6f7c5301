import { createHash, type Hash } from 'node:crypto'
import { CHAIN_ALIASES } from '@firn/codec'
import { type RawBuilder, sql } from 'kysely'
import { fetchRows } from './internal/database.ts'
import {
  type Database,
  LEDGER_TABLE_NAMES,
  LEDGER_TABLES,
  type LedgerTable,
  VERTEX_TABLES,
} from './Schema.ts'
import type { Snapshot } from './Snapshot.ts'
import type { Store } from './Store.ts'

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

/** The time at which a block was accepted differs between nodes, so the digest leaves it out. */
const LEFT_OUT = ['accepted_at']

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
 * Returns the SHA-256 (32 bytes) of the network's description and of all ledger tables as of the snapshot `at`, with
 * rows in the order of their keys. The default is the newest snapshot. Databases with the same history have the same
 * digest, regardless of how the blocks were written. The digest covers neither the times at which a node accepted
 * blocks nor the fence of the writer.
 * @throws StoreError `STORE_EMPTY`, `STORE_UNAVAILABLE`
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { StateDigest, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * console.log(Hex.encode(await StateDigest.of(store, at)))
 * ```
 */
export async function of(store: Store, at?: Snapshot): Promise<Uint8Array> {
  const snapshot = at ?? (await store.snapshot())
  const hash = createHash('sha256')
  const network = await fetchRows(
    store,
    sql<Database['network']>`select network_id, genesis_id, genesis, upgrades, settings from network`,
  )
  for (const row of network) add(hash, { ...row, ...rulesOf(row) })
  for (const chain of CHAIN_ALIASES) {
    const { height, blockId, time } = snapshot[chain]
    add(hash, { chain, height, blockId, time })
  }
  for (const table of LEDGER_TABLE_NAMES) {
    // Most networks never had vertices. Their digest is the same as before these tables existed.
    let isUnnamed = table in VERTEX_TABLES
    if (!isUnnamed) hash.update(`${table}\n`)
    for await (const row of rowsOf(store, table, snapshot)) {
      if (isUnnamed) hash.update(`${table}\n`)
      isUnnamed = false
      add(hash, row)
    }
  }
  return new Uint8Array(hash.digest())
}

type Row = Readonly<Record<string, unknown>>

/** Returns the rules with sorted members, because the database changes the order of JSON members. */
function rulesOf({ upgrades, settings }: { readonly upgrades: unknown; readonly settings: unknown }): Row {
  return { upgrades: canonical(upgrades), settings: canonical(settings) }
}

function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([name, item]) => `${name}:${canonical(item)}`).join()}}`
}

async function* rowsOf(store: Store, table: LedgerTable, at: Snapshot): AsyncIterable<Row> {
  const keys = keysOf(table)
  const names = Object.keys(LEDGER_TABLES[table].columns).filter((name) => !LEFT_OUT.includes(name))
  const columns = sql.join(names.map((name) => columnAt(table, name, at)))
  const order = sql.join(keys.map((name) => sql.ref(name)))
  let after: RawBuilder<unknown> = sql`true`
  for (;;) {
    const rows = await fetchRows(
      store,
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

/** Adds a row to the hash, cell by cell. Each cell is prefixed with its type and length. */
function add(hash: Hash, row: Row): void {
  for (const value of Object.values(row)) addValue(hash, value)
}

function addValue(hash: Hash, value: unknown): void {
  if (Array.isArray(value)) {
    hash.update(`[${value.length}]`)
    for (const item of value) addValue(hash, item)
  } else if (value instanceof Uint8Array) hash.update(`#${value.length}:`).update(value)
  else hash.update(`${typeof value} ${String(value).length}:${String(value)}`)
}
