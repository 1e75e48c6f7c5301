import { type RawBuilder, sql } from 'kysely'
import type { Chain } from '../Schema.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'
import { firstSince } from './Moments.ts'
import type { PageQuery } from './Order.ts'

/** A transaction in a list, with what its block says. */
export interface Listed {
  readonly id: Uint8Array
  readonly name: string
  readonly height: bigint
  /** Its place in the block. */
  readonly ordinal: number
  readonly status: string
  /** Signed. */
  readonly bytes: Uint8Array
  readonly blockID: Uint8Array
  /** Unix seconds. */
  readonly time: bigint
}

/** What is asked for of transactions; all filters hold together. */
export interface Query extends PageQuery {
  /** Any of them; undefined: all transactions. */
  readonly addresses: readonly Uint8Array[] | undefined
  /** Names of types; undefined: all. */
  readonly names: readonly string[] | undefined
  /** Block times, Unix seconds: from, included, and until, excluded. */
  readonly from: bigint | undefined
  readonly until: bigint | undefined
  /** Only those whose staker is one at the snapshot, or is to be. */
  readonly isStaking: boolean
}

/** Transactions of a chain in the order of their blocks; those of the genesis are at height 0. */
export async function page(store: Store, at: Snapshot, chain: Chain, query: Query): Promise<Listed[]> {
  const range = await heights(store, at, chain, query)
  if (range === undefined) return []
  const where = [...range, ...behind(query), ...named(query), ...staking(at, query)]
  const order = sql.raw(query.order)
  const places =
    query.addresses === undefined
      ? sql`select height, position from ${sql.table('transaction')} as place
          where chain = ${chain} and ${sql.join(where, sql` and `)}
          order by height ${order}, position ${order} limit ${query.limit}`
      : placesOf(query.addresses, chain, where, query)
  return select(store, chain, places, sql`order by t.height ${order}, t.position ${order}`)
}

/** The newest or oldest places of each address, of which the first are those of all. */
function placesOf(
  addresses: readonly Uint8Array[],
  chain: Chain,
  where: readonly RawBuilder<unknown>[],
  query: Query,
): RawBuilder<unknown> {
  const order = sql.raw(query.order)
  return sql`select distinct place.height, place.position
    from unnest(${sql.val([...addresses])}::bytea[]) as owner (address) cross join lateral (
      select height, position from ${sql.table('transaction_address')} as place
      where place.address = owner.address and chain = ${chain}
        and ${sql.join(where, sql` and `)}
      order by height ${order}, position ${order} limit ${query.limit}
    ) as place order by place.height ${order}, place.position ${order} limit ${query.limit}`
}

/** The transactions with ids, in no order. */
export async function byIDs(
  store: Store,
  at: Snapshot,
  chain: Chain,
  ids: readonly Uint8Array[],
): Promise<Listed[]> {
  if (ids.length === 0) return []
  const places = sql`select height, position from ${sql.table('transaction')} where chain = ${chain}
    and id = any(${sql.val([...ids])}::bytea[]) and decided_height <= ${at[chain].height}`
  return select(store, chain, places, sql``)
}

async function select(
  store: Store,
  chain: Chain,
  places: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): Promise<Listed[]> {
  const { rows } = await sql<Listed>`
    select t.id, t.name, t.height, t.position as ordinal, t.status, t.bytes, b.id as "blockID", b.time
    from (${places}) as p
    join ${sql.table('transaction')} as t on t.chain = ${chain} and t.height = p.height and t.position = p.position
    join ${sql.table('block')} as b on b.chain = ${chain} and b.height = p.height ${order}`.execute(store.db)
  return rows
}

function named({ names }: Query): RawBuilder<unknown>[] {
  return names === undefined ? [] : [sql`place.name = any(${sql.val([...names])}::text[])`]
}

/** A staker is known by its transaction's id. */
function staking(at: Snapshot, { isStaking }: Query): RawBuilder<unknown>[] {
  if (!isStaking) return []
  const { height } = at.P
  return [
    sql`exists (select 1 from ${sql.table('transaction')} as t join ${sql.table('staker')} as s on s.key = t.id
      where t.chain = 'P' and t.height = place.height and t.position = place.position
        and s.since <= ${height} and (s.until is null or s.until > ${height}))`,
  ]
}

function behind({ after, order }: Query): RawBuilder<unknown>[] {
  if (after === undefined) return []
  const sign = order === 'asc' ? sql`>` : sql`<`
  return [sql`(place.height, place.position) ${sign} (${after.height}, ${after.ordinal})`]
}

/** Bounds of height for those of time, since times of blocks never go back; undefined where there is no block between. */
async function heights(
  store: Store,
  at: Snapshot,
  chain: Chain,
  { from, until }: Query,
): Promise<RawBuilder<unknown>[] | undefined> {
  const top = await decided(store, at, chain)
  const first = from === undefined ? 0n : await firstSince(store, chain, from)
  const end = until === undefined ? undefined : await firstSince(store, chain, until)
  if (first === undefined || first > top) return undefined
  const last = end === undefined || end > top ? top : end - 1n
  return [sql`place.height >= ${first}`, sql`place.height <= ${last}`]
}

/** The last height whose transactions have their fate in the snapshot: that of a proposal comes with the block after it. */
async function decided(store: Store, at: Snapshot, chain: Chain): Promise<bigint> {
  const { height } = at[chain]
  const open = await store.db
    .selectFrom('transaction')
    .select('decided_height')
    .where('chain', '=', chain)
    .where('height', '=', height)
    .where('decided_height', '>', height)
    .limit(1)
    .executeTakeFirst()
  return open === undefined ? height : height - 1n
}

/** The P-chain's proposals to reward a staker in blocks of some heights. */
export async function rewards(store: Store, at: Snapshot, heights: readonly bigint[]): Promise<Listed[]> {
  if (heights.length === 0) return []
  const places = sql`select height, position from ${sql.table('transaction')} where chain = 'P'
    and height = any(${sql.val([...heights])}::bigint[]) and name in ('RewardValidatorTx', 'RewardAutoRenewedValidatorTx')
    and decided_height <= ${at.P.height}`
  return select(store, 'P', places, sql``)
}
