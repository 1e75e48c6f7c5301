import { createHash, type Hash } from 'node:crypto'
import { CHAIN_ALIASES } from '@firn/codec'
import { sql } from 'kysely'
import { type Database, LEDGER_TABLE_NAMES, type LedgerTable, VERTEX_TABLES } from '../Schema.ts'
import type { Snapshot } from '../Snapshot.ts'
import { type Row, type Run, rowsAt } from './rowsAt.ts'

/**
 * Returns the digest of the tables that `run` reads. See `StateDigest.of`. Calls `visit` with each row of the ledger
 * tables.
 */
export async function digestAt(
  run: Run,
  snapshot: Snapshot,
  visit?: (table: LedgerTable, row: Row) => Promise<void> | undefined,
): Promise<Uint8Array> {
  const hash = createHash('sha256')
  const network = await run(
    sql<
      Database['network']
    >`select network_id, genesis_id, genesis, upgrades, settings, follows_c_chain, follows_x_chain from network`,
  )
  for (const { follows_c_chain: followsCChain, follows_x_chain: followsXChain, ...row } of network) {
    add(hash, { ...row, ...rulesOf(row) })
    // Most databases follow all chains. Their digest is the same as before these columns existed.
    if (!followsCChain) hash.update('follows_c_chain\n')
    if (!followsXChain) hash.update('follows_x_chain\n')
  }
  for (const chain of CHAIN_ALIASES) {
    const { height, blockId, time } = snapshot[chain]
    add(hash, { chain, height, blockId, time })
  }
  for (const table of LEDGER_TABLE_NAMES) {
    // Most networks never had vertices. Their digest is the same as before these tables existed.
    let isUnnamed = table in VERTEX_TABLES
    if (!isUnnamed) hash.update(`${table}\n`)
    for await (const row of rowsAt(run, table, snapshot)) {
      if (isUnnamed) hash.update(`${table}\n`)
      isUnnamed = false
      add(hash, row)
      if (visit !== undefined) await visit(table, row)
    }
  }
  return new Uint8Array(hash.digest())
}

/** Returns the rules with sorted members, because the database changes the order of JSON members. */
function rulesOf({ upgrades, settings }: { readonly upgrades: unknown; readonly settings: unknown }): Row {
  return { upgrades: canonical(upgrades), settings: canonical(settings) }
}

function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([name, item]) => `${name}:${canonical(item)}`).join()}}`
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
