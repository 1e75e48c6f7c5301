import { type RawBuilder, sql } from 'kysely'
import { prepared } from '../internal/prepared.ts'
import { REWARD_LIST, STAKING_LIST, STAKING_NAMES } from '../internal/stakingTypes.ts'
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
  const kinds = await kindsOf(store, at, query)
  const where = [sql`place.chain = ${chain}`, ...range, ...behind(query)]
  const order = sql.raw(query.order)
  const places =
    query.addresses === undefined ? ofAll(at, where, kinds, query) : ofOwners(at, where, kinds, query)
  return select(store, chain, places, sql`order by t.height ${order}, t.position ${order}`)
}

/** Types that are asked for, and the height at which the first of each can be. */
type Kinds = readonly { readonly name: string; readonly floor: bigint }[] | undefined

async function kindsOf(store: Store, at: Snapshot, { names, isStaking }: Query): Promise<Kinds> {
  if (!isStaking) return names?.map((name) => ({ name, floor: 0n }))
  const floor = await stakingFloor(store, at)
  const asked = names === undefined ? STAKING_NAMES : STAKING_NAMES.filter((name) => names.includes(name))
  // The start of an auto-renewed validator moves, so that it tells nothing of its transaction.
  return asked.map((name) => ({ name, floor: name === 'AddAutoRenewedValidatorTx' ? 0n : floor }))
}

/** How long before its start a staker could be added, in seconds. Source: avalanchego `MaxFutureStartTime`, until Durango. */
const MAX_FUTURE_START = 1_209_600n

/** Below this height no transaction added a staker of the snapshot, other than auto-renewed validators. */
async function stakingFloor(store: Store, at: Snapshot): Promise<bigint> {
  const staker = sql.table('staker')
  const { rows } = await sql<{ start: bigint | null }>`select least(
    (select min(start_time) from ${staker} where until is null),
    (select min(start_time) from ${staker} where until > ${at.P.height})) as start`.execute(store.db)
  const start = rows[0]?.start ?? MAX_FUTURE_START
  return (await firstSince(store, 'P', start - MAX_FUTURE_START)) ?? 0n
}

/** Each address and each type has its newest or oldest places, of which the first are those of all. */
function ofOwners(
  at: Snapshot,
  where: readonly RawBuilder<unknown>[],
  kinds: Kinds,
  query: Query,
): RawBuilder<unknown> {
  const added = sql`exists (select 1 from ${sql.table('transaction')} as t where t.chain = 'P'
    and t.height = place.height and t.position = place.position and ${stakes(at, sql`t.id`)})`
  const conditions = [sql`place.address = owner.address`, ...where, ...(query.isStaking ? [added] : [])]
  const owners = sql`unnest(${sql.val([...(query.addresses ?? [])])}::bytea[]) as owner (address)`
  if (kinds === undefined) return firstOf(owners, sql.table('transaction_address'), conditions, query)
  const from = sql`${owners} cross join ${unnested(kinds)}`
  return firstOf(from, sql.table('transaction_address'), [...OF_KIND, ...conditions], query)
}

function ofAll(
  at: Snapshot,
  where: readonly RawBuilder<unknown>[],
  kinds: Kinds,
  query: Query,
): RawBuilder<unknown> {
  const table = sql.table('transaction')
  if (kinds === undefined) return firstOf(undefined, table, where, query)
  const staking = query.isStaking
    ? [sql`place.name in (${sql.raw(STAKING_LIST)})`, stakes(at, sql`place.id`)]
    : []
  return firstOf(unnested(kinds), table, [...OF_KIND, ...where, ...staking], query)
}

const OF_KIND = [sql`place.name = kind.name`, sql`place.height >= kind.floor`]

function unnested(kinds: NonNullable<Kinds>): RawBuilder<unknown> {
  const [names, floors] = [kinds.map(({ name }) => name), kinds.map(({ floor }) => String(floor))]
  return sql`unnest(${sql.val(names)}::text[], ${sql.val(floors)}::bigint[]) as kind (name, floor)`
}

/** The first places of a table, or the first of those that each row of `groups` has. */
function firstOf(
  groups: RawBuilder<unknown> | undefined,
  table: RawBuilder<unknown>,
  conditions: readonly RawBuilder<unknown>[],
  query: Query,
): RawBuilder<unknown> {
  const order = sql.raw(query.order)
  const places = sql`select height, position from ${table} as place where ${sql.join(conditions, sql` and `)}
    order by height ${order}, position ${order} limit ${query.limit}`
  if (groups === undefined) return places
  return sql`select distinct place.height, place.position from ${groups} cross join lateral (${places}) as place
    order by place.height ${order}, place.position ${order} limit ${query.limit}`
}

/** The transactions with ids, in no order. */
export async function byIds(
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
    ${prepared} select t.id, t.name, t.height, t.position as ordinal, t.status, t.bytes, b.id as "blockID", b.time
    from (${places}) as p
    join ${sql.table('transaction')} as t on t.chain = ${chain} and t.height = p.height and t.position = p.position
    join ${sql.table('block')} as b on b.chain = ${chain} and b.height = p.height ${order}`.execute(store.db)
  return rows
}

/** The condition that a transaction's staker is one in the snapshot: a staker is known by its transaction's id. */
function stakes(at: Snapshot, id: RawBuilder<unknown>): RawBuilder<unknown> {
  const { height } = at.P
  return sql`exists (select 1 from ${sql.table('staker')} as s where s.key = ${id}
    and s.since <= ${height} and (s.until is null or s.until > ${height}))`
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
  const { height } = at[chain]
  const [first, end] = await Promise.all(
    [from, until].map((time) => (time === undefined ? undefined : firstSince(store, chain, time))),
  )
  if (from !== undefined && (first === undefined || first > height)) return undefined
  const last = end === undefined || end > height ? height : end - 1n
  return [sql`place.height >= ${first ?? 0n}`, sql`place.height <= ${last}`, ...decided(chain, height)]
}

/** The condition that the snapshot knows the fate of a transaction: that of a proposal comes with the block after it. */
function decided(chain: Chain, height: bigint): RawBuilder<unknown>[] {
  if (chain !== 'P') return []
  return [
    sql`(place.height < ${height} or not exists (select 1 from ${sql.table('transaction')} as last
      where last.chain = 'P' and last.height = ${height} and last.decided_height > ${height}))`,
  ]
}

/** The P-chain's proposals to reward a staker in blocks of some heights. */
export async function rewards(store: Store, at: Snapshot, heights: readonly bigint[]): Promise<Listed[]> {
  if (heights.length === 0) return []
  const places = sql`select height, position from ${sql.table('transaction')} where chain = 'P'
    and height = any(${sql.val([...heights])}::bigint[]) and name in (${sql.raw(REWARD_LIST)})
    and decided_height <= ${at.P.height}`
  return select(store, 'P', places, sql``)
}
