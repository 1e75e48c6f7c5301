import { fetchRows, type Place } from '@firn/sql'
import { type RawBuilder, sql } from 'kysely'
import { firstSince } from '../blocks/times.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'
import * as Transactions from './pages.ts'

/** Filters of a page of an asset's transactions. A transaction must match all of them. */
export interface AssetQuery {
  readonly assetId: Uint8Array
  /** Names of the transaction types to return; undefined for all types. */
  readonly names: readonly string[] | undefined
  /** Start of the range of block times in Unix seconds, inclusive; `until` is its exclusive end. */
  readonly from: bigint | undefined
  readonly until: bigint | undefined
  readonly after: Place | undefined
  readonly limit: number
}

/**
 * Maximum number of blocks that one page reads. If the requested types are rare, most blocks have no match.
 */
export const MOST_SEARCHED = 10_000
/** Number of blocks per statement. */
const CHUNK = 200

/**
 * Returns X-chain transactions that consumed or produced outputs of an asset, newest first. Returns undefined
 * if the page would have to read more than {@link MOST_SEARCHED} blocks.
 *
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { type Store, Transactions } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const assetId = Id.parse('FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z') // AVAX on Mainnet
 * const query = { assetId, names: undefined, from: undefined, until: undefined, after: undefined, limit: 25 }
 * const page = await Transactions.pageByAsset(store, at, query)
 * ```
 */
export async function pageByAsset(
  store: Store,
  at: Snapshot,
  query: AssetQuery,
): Promise<Transactions.Details[] | undefined> {
  const bounds = await boundsOf(store, at, query)
  if (bounds === undefined) return []
  const ids: Uint8Array[] = []
  let { top } = bounds
  for (let searched = 0; searched < MOST_SEARCHED; searched += CHUNK) {
    const heights = await blocks(store, query.assetId, bounds.first, top)
    ids.push(...(await transactions(store, heights, query, query.limit - ids.length)))
    const last = heights.at(-1)
    if (ids.length >= query.limit || heights.length < CHUNK || last === undefined)
      return inOrder(store, at, ids)
    top = last - 1n
  }
  return undefined
}

async function boundsOf(store: Store, at: Snapshot, { from, until, after }: AssetQuery) {
  const first = from === undefined ? 0n : await firstSince(store, 'X', from)
  const end = until === undefined ? undefined : await firstSince(store, 'X', until)
  if (first === undefined) return undefined
  const tops = [at.X.height, end === undefined ? at.X.height : end - 1n, after?.height ?? at.X.height]
  return { first, top: tops.reduce((a, b) => (a < b ? a : b)) }
}

/** Returns the newest blocks between two heights in which an output of the asset was produced or consumed. */
async function blocks(store: Store, assetId: Uint8Array, first: bigint, top: bigint): Promise<bigint[]> {
  const newest = (column: string, chain: string) => {
    const height = sql.ref(column)
    return sql`(select distinct ${height} as height from utxo where ${sql.ref(chain)} = 'X' and asset_id = ${assetId}
      and ${height} <= ${top} and ${height} >= ${first} order by ${height} desc limit ${CHUNK})`
  }
  const rows = await fetchRows(
    store,
    sql<{ height: bigint }>`
    select height from (${newest('height', 'source')} union ${newest('consumed_height', 'chain')}) as block
    order by height desc limit ${CHUNK}`,
  )
  return rows.map(({ height }) => height)
}

async function transactions(
  store: Store,
  heights: readonly bigint[],
  { assetId, names, after }: AssetQuery,
  limit: number,
): Promise<Uint8Array[]> {
  if (heights.length === 0) return []
  const conditions: RawBuilder<unknown>[] = [
    sql`t.chain = 'X' and t.height = any(${sql.val(heights.map(String))}::bigint[])`,
    sql`(exists (select 1 from utxo where utxo.tx_id = t.id and utxo.asset_id = ${assetId})
      or exists (select 1 from utxo where utxo.consumed_tx_id = t.id and utxo.asset_id = ${assetId}))`,
  ]
  if (names !== undefined) conditions.push(sql`t.name = any(${sql.val([...names])}::text[])`)
  if (after !== undefined) conditions.push(sql`(t.height, t.position) < (${after.height}, ${after.ordinal})`)
  const rows = await fetchRows(
    store,
    sql<{ id: Uint8Array }>`select t.id from transaction as t
    where ${sql.join(conditions, sql` and `)} order by t.height desc, t.position desc limit ${limit}`,
  )
  return rows.map(({ id }) => id)
}

async function inOrder(
  store: Store,
  at: Snapshot,
  ids: readonly Uint8Array[],
): Promise<Transactions.Details[]> {
  const found = await Transactions.detailsByIds(store, at, 'X', ids)
  return found.sort((a, b) => (a.height === b.height ? b.ordinal - a.ordinal : a.height < b.height ? 1 : -1))
}
