import { type RawBuilder, sql } from 'kysely'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'
import { firstSince } from './Moments.ts'
import type { Place } from './Order.ts'
import * as Transactions from './Transactions.ts'

/** What is asked for of an asset's transactions; all filters hold together. */
export interface Query {
  readonly assetId: Uint8Array
  /** Names of types; undefined: all. */
  readonly names: readonly string[] | undefined
  /** Block times, Unix seconds: from, included, and until, excluded. */
  readonly from: bigint | undefined
  readonly until: bigint | undefined
  readonly after: Place | undefined
  readonly limit: number
}

/** One page looks at no more blocks than this: where types are rare, most of them are for nothing. */
export const MOST_SEARCHED = 10_000
/** Blocks that are looked at together. */
const CHUNK = 200

const UTXO = sql.table('utxo')

/**
 * Transactions of the X-chain that consumed or made outputs of an asset, the newest first; undefined where a page would have to look at
 * more than {@link MOST_SEARCHED} blocks.
 */
export async function page(
  store: Store,
  at: Snapshot,
  query: Query,
): Promise<Transactions.Listed[] | undefined> {
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

async function boundsOf(store: Store, at: Snapshot, { from, until, after }: Query) {
  const first = from === undefined ? 0n : await firstSince(store, 'X', from)
  const end = until === undefined ? undefined : await firstSince(store, 'X', until)
  if (first === undefined) return undefined
  const tops = [at.X.height, end === undefined ? at.X.height : end - 1n, after?.height ?? at.X.height]
  return { first, top: tops.reduce((a, b) => (a < b ? a : b)) }
}

/** The newest blocks between two heights in which there was something of the asset. */
async function blocks(store: Store, assetId: Uint8Array, first: bigint, top: bigint): Promise<bigint[]> {
  const newest = (column: string, chain: string) => {
    const height = sql.ref(column)
    return sql`(select distinct ${height} as height from ${UTXO} where ${sql.ref(chain)} = 'X' and asset_id = ${assetId}
      and ${height} <= ${top} and ${height} >= ${first} order by ${height} desc limit ${CHUNK})`
  }
  const { rows } = await sql<{ height: bigint }>`
    select height from (${newest('height', 'source')} union ${newest('consumed_height', 'chain')}) as block
    order by height desc limit ${CHUNK}`.execute(store.db)
  return rows.map(({ height }) => height)
}

async function transactions(
  store: Store,
  heights: readonly bigint[],
  { assetId, names, after }: Query,
  limit: number,
): Promise<Uint8Array[]> {
  if (heights.length === 0) return []
  const conditions: RawBuilder<unknown>[] = [
    sql`t.chain = 'X' and t.height = any(${sql.val(heights.map(String))}::bigint[])`,
    sql`(exists (select 1 from ${UTXO} as utxo where utxo.tx_id = t.id and utxo.asset_id = ${assetId})
      or exists (select 1 from ${UTXO} as utxo where utxo.consumed_tx_id = t.id and utxo.asset_id = ${assetId}))`,
  ]
  if (names !== undefined) conditions.push(sql`t.name = any(${sql.val([...names])}::text[])`)
  if (after !== undefined) conditions.push(sql`(t.height, t.position) < (${after.height}, ${after.ordinal})`)
  const { rows } = await sql<{ id: Uint8Array }>`select t.id from ${sql.table('transaction')} as t
    where ${sql.join(conditions, sql` and `)} order by t.height desc, t.position desc limit ${limit}`.execute(
    store.db,
  )
  return rows.map(({ id }) => id)
}

async function inOrder(
  store: Store,
  at: Snapshot,
  ids: readonly Uint8Array[],
): Promise<Transactions.Listed[]> {
  const listed = await Transactions.byIds(store, at, 'X', ids)
  return listed.sort((a, b) => (a.height === b.height ? b.ordinal - a.ordinal : a.height < b.height ? 1 : -1))
}
