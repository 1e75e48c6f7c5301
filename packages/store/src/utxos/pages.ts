import { CHAIN_ALIASES, type ChainAlias } from '@firn/codec'
import { fetchRows, type Order, orderBy, prepared } from '@firn/sql'
import { type RawBuilder, sql } from 'kysely'
import { firstSince } from '../blocks/times.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'
import * as TransactionUtxos from './history.ts'

/** Sort key of an output in a list: its value, then the position at which it was produced. */
export interface Rank {
  /** Amount of the output, or the time at which it was produced (Unix seconds). */
  readonly value: bigint
  readonly source: ChainAlias
  readonly height: bigint
  readonly ordinal: number
}

/** An output with its sort key. */
export interface RankedUtxo {
  readonly rank: Rank
  readonly utxo: TransactionUtxos.UtxoHistory
}

/** Parameters of {@link page}. An output that several of the addresses own occurs once. */
export interface Query {
  readonly addresses: readonly Uint8Array[]
  readonly order: Order
  readonly after: Rank | undefined
  readonly limit: number
}

/** Parameters of a page that requires reading all outputs of the addresses. */
export interface Search extends Query {
  readonly sortBy: 'timestamp' | 'amount'
  readonly assetId: Uint8Array | undefined
  readonly minAmount: bigint | undefined
  readonly isSpentToo: boolean
}

/** Maximum number of outputs that a search reads. An output counts once for each of its addresses. */
export const MOST_SEARCHED = 10_000

/**
 * Returns outputs that a chain can spend at the snapshot, including outputs in shared memory, sorted by the time at
 * which they were produced.
 *
 * @example
 * ```ts
 * import { Address } from '@firn/codec'
 * import { type Store, Utxos } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const address = Address.parseBytes('P-avax1slt2dhfu6a6qezcn5sgtagumq8ag8we75f84sw')
 * const query = { addresses: [address], after: undefined, order: 'desc', limit: 25 } as const
 * const newest = await Utxos.page(store, at, 'X', query)
 * ```
 */
export async function page(
  store: Store,
  at: Snapshot,
  chain: ChainAlias,
  query: Query,
): Promise<RankedUtxo[]> {
  const found = await Promise.all(
    CHAIN_ALIASES.map((source) => placesOn(store, at, { chain, source }, query)),
  )
  return inOrder(await histories(store, at, found.flat()), 'timestamp', query)
}

/**
 * Selects the next outputs of one source chain. Outputs that are still unspent come from an index that is already in
 * order. Outputs spent since the snapshot are sorted by the database.
 */
async function placesOn(
  store: Store,
  at: Snapshot,
  { chain, source }: { readonly chain: ChainAlias; readonly source: ChainAlias },
  { addresses, order, after, limit }: Query,
): Promise<PlaceOn[]> {
  const behind = after === undefined ? sql`true` : await boundOf(store, source, after, order)
  const ordered = orderBy([sql`height`, sql`ordinal`], order)
  const entries = (state: RawBuilder<unknown>) =>
    sql`(select height, ordinal from utxo_address
      where address = owner.address and chain = ${chain} and source = ${source} and ${state}
        and height <= ${at[source].height} and ${behind} ${ordered} limit ${limit})`
  return fetchRows(
    store,
    sql<PlaceOn>`
    ${prepared} select distinct ${source}::text as source, entry.height, entry.ordinal
    from unnest(${sql.val([...addresses])}::bytea[]) as owner (address) cross join lateral (
      ${entries(sql`consumed_height is null`)} union all ${entries(sql`consumed_height > ${at[chain].height}`)}
    ) as entry ${ordered} limit ${limit}`,
  )
}

/**
 * Returns the SQL condition that an output of the chain `source` comes after an output with the given sort key.
 * Outputs of the same source chain are compared by position. Outputs of different source chains are compared by time,
 * which is converted to a height.
 */
async function boundOf(
  store: Store,
  source: ChainAlias,
  { value: time, source: last, height, ordinal }: Rank,
  order: Order,
): Promise<RawBuilder<unknown>> {
  const isUp = order === 'asc'
  if (source === last)
    return isUp
      ? sql`(height, ordinal) > (${height}, ${ordinal})`
      : sql`(height, ordinal) < (${height}, ${ordinal})`
  // Outputs that were produced at the same time are sorted by source chain.
  const isTimeIn = isUp ? source > last : source < last
  const edge = await firstSince(store, source, isUp === isTimeIn ? time : time + 1n)
  if (isUp) return edge === undefined ? sql`false` : sql`height >= ${edge}`
  return edge === undefined ? sql`true` : sql`height < ${edge}`
}

/**
 * Returns matching outputs in the requested order. Reads all outputs of the addresses, because not every filter and
 * order has an index. Returns undefined if there are more than {@link MOST_SEARCHED}.
 *
 * @example
 * ```ts
 * import { Address } from '@firn/codec'
 * import { type Store, Utxos } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const address = Address.parseBytes('P-avax1slt2dhfu6a6qezcn5sgtagumq8ag8we75f84sw')
 * const largest = await Utxos.search(store, at, 'X', {
 *   addresses: [address],
 *   sortBy: 'amount',
 *   order: 'desc',
 *   assetId: undefined,
 *   minAmount: 1_000_000_000n,
 *   isSpentToo: false,
 *   after: undefined,
 *   limit: 25,
 * })
 * ```
 */
export async function search(
  store: Store,
  at: Snapshot,
  chain: ChainAlias,
  query: Search,
): Promise<RankedUtxo[] | undefined> {
  const rows = await fetchRows(
    store,
    sql<PlaceOn & { readonly value: bigint | null; readonly looked: bigint }>`
    with entry as materialized (${searched(at, chain, query)})
    select utxo.source, utxo.height, utxo.ordinal, utxo.value, looked.count as looked
    from (select count(*) as count from entry) as looked left join lateral (
      select utxo.source, utxo.height, utxo.ordinal,
        ${query.sortBy === 'amount' ? sql`coalesce(utxo.amount, 0)` : sql`utxo.time::numeric`} as value
      from (select distinct source, height, ordinal from entry) as place cross join lateral (
        select * from utxo as utxo
        where utxo.source = place.source and utxo.height = place.height and utxo.ordinal = place.ordinal limit 1
      ) as utxo where ${sql.join(filters(query), sql` and `)}
    ) as utxo on true`,
  )
  if ((rows[0]?.looked ?? 0n) > BigInt(MOST_SEARCHED)) return undefined
  const ranks = rows.flatMap(({ value, source, height, ordinal }) =>
    value === null ? [] : [{ value, source, height, ordinal }],
  )
  const next = select(ranks, (rank) => rank, query)
  return inOrder(await histories(store, at, next), query.sortBy, query)
}

function searched(at: Snapshot, chain: ChainAlias, { addresses, isSpentToo }: Search): RawBuilder<unknown> {
  const entries = (state: RawBuilder<unknown>) =>
    sql`select source, height, ordinal from utxo_address
      where address = any(${sql.val([...addresses])}::bytea[]) and chain = ${chain} and ${state}
        and height <= case source when 'P' then ${at.P.height}::bigint when 'X' then ${at.X.height}::bigint else ${at.C.height}::bigint end`
  const spent = isSpentToo ? sql`consumed_height is not null` : sql`consumed_height > ${at[chain].height}`
  return sql`${entries(sql`consumed_height is null`)} union all ${entries(spent)} limit ${MOST_SEARCHED + 1}`
}

function filters({ assetId, minAmount }: Search): RawBuilder<unknown>[] {
  return [
    sql`true`,
    ...(assetId === undefined ? [] : [sql`utxo.asset_id = ${assetId}`]),
    ...(minAmount === undefined ? [] : [sql`coalesce(utxo.amount, 0) >= ${String(minAmount)}::numeric`]),
  ]
}

interface PlaceOn {
  readonly source: ChainAlias
  readonly height: bigint
  readonly ordinal: number
}

async function histories(
  store: Store,
  at: Snapshot,
  places: readonly PlaceOn[],
): Promise<TransactionUtxos.UtxoHistory[]> {
  return places.length === 0 ? [] : TransactionUtxos.atPlaces(store, at, places)
}

function inOrder(
  utxos: readonly TransactionUtxos.UtxoHistory[],
  sortBy: Search['sortBy'],
  query: Query,
): RankedUtxo[] {
  const ranked = utxos.map((utxo) => {
    const { source, height, ordinal, time, amount } = utxo
    return { utxo, rank: { value: sortBy === 'amount' ? amount : time, source, height, ordinal } }
  })
  return select(ranked, ({ rank }) => rank, query)
}

/** Returns the first `limit` items whose sort key comes after `after`, in order. */
function select<T>(all: readonly T[], rankOf: (one: T) => Rank, { order, after, limit }: Query): T[] {
  const sign = order === 'asc' ? 1 : -1
  return all
    .filter((one) => after === undefined || compare(rankOf(one), after) * sign > 0)
    .toSorted((a, b) => compare(rankOf(a), rankOf(b)) * sign)
    .slice(0, limit)
}

function compare(a: Rank, b: Rank): number {
  return (
    Number(a.value > b.value) - Number(a.value < b.value) ||
    Number(a.source > b.source) - Number(a.source < b.source) ||
    Number(a.height > b.height) - Number(a.height < b.height) ||
    a.ordinal - b.ordinal
  )
}
