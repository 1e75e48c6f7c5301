import type { ChainAlias } from '@firn/codec'
import { fetchRows, orderBy, type PageQuery, pageBy, prepared } from '@firn/sql'
import { type RawBuilder, sql } from 'kysely'
import { firstSince } from '../blocks/times.ts'
import { REWARD_LIST, STAKING_LIST, STAKING_NAMES } from '../internal/stakingTypes.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'

/** A transaction with the id and time of its block. */
export interface Details {
  readonly id: Uint8Array
  readonly name: string
  readonly height: bigint
  /** Index of the transaction in its block. */
  readonly ordinal: number
  readonly status: string
  /** Bytes of the signed transaction. */
  readonly bytes: Uint8Array
  readonly blockId: Uint8Array
  /** Time of the block in Unix seconds. */
  readonly time: bigint
}

/** Filters of a page of transactions. A transaction must match all of them. */
export interface Query extends PageQuery {
  /** Addresses. The transaction must concern at least one of them; undefined for all transactions. */
  readonly addresses: readonly Uint8Array[] | undefined
  /** Names of the transaction types to return; undefined for all types. */
  readonly names: readonly string[] | undefined
  /** Start of the range of block times in Unix seconds, inclusive; `until` is its exclusive end. */
  readonly from: bigint | undefined
  readonly until: bigint | undefined
  /** Whether to return only transactions whose staker is current or pending at the snapshot. */
  readonly isStaking: boolean
}

/**
 * Returns a page of a chain's transactions, sorted by block and by index in the block. Transactions of the genesis
 * are at height 0.
 *
 * @example
 * ```ts
 * import { Address } from '@firn/codec'
 * import { type Store, Transactions } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const address = Address.parseBytes('P-avax1slt2dhfu6a6qezcn5sgtagumq8ag8we75f84sw')
 * const newest = await Transactions.page(store, at, 'P', {
 *   addresses: [address],
 *   names: ['ExportTx', 'ImportTx'],
 *   from: undefined,
 *   until: undefined,
 *   isStaking: false,
 *   after: undefined,
 *   order: 'desc',
 *   limit: 25,
 * })
 * ```
 */
export async function page(store: Store, at: Snapshot, chain: ChainAlias, query: Query): Promise<Details[]> {
  const range = await heights(store, at, chain, query)
  if (range === undefined) return []
  const kinds = await kindsOf(store, at, query)
  const where = [sql`place.chain = ${chain}`, ...range]
  const places =
    query.addresses === undefined ? ofAll(at, where, kinds, query) : ofOwners(at, where, kinds, query)
  return select(store, chain, places, orderBy([sql`t.height`, sql`t.position`], query.order))
}

/** The transaction types to find, each with the lowest height at which it can occur. */
type Kinds = readonly { readonly name: string; readonly floor: bigint }[] | undefined

async function kindsOf(store: Store, at: Snapshot, { names, isStaking }: Query): Promise<Kinds> {
  if (!isStaking) return names?.map((name) => ({ name, floor: 0n }))
  const floor = await stakingFloor(store, at)
  const asked = names === undefined ? STAKING_NAMES : STAKING_NAMES.filter((name) => names.includes(name))
  // The start time of an auto-renewed validator changes, so it does not limit the height of its transaction.
  return asked.map((name) => ({ name, floor: name === 'AddAutoRenewedValidatorTx' ? 0n : floor }))
}

/**
 * Maximum time in seconds between adding a staker and the start of its staking period. Source: avalanchego
 * `MaxFutureStartTime`, until Durango.
 */
const MAX_FUTURE_START = 1_209_600n

/**
 * Returns the lowest height at which a staker of the snapshot can have been added. Auto-renewed validators
 * are not taken into account.
 */
async function stakingFloor(store: Store, at: Snapshot): Promise<bigint> {
  const rows = await fetchRows(
    store,
    sql<{ start: bigint | null }>`select least(
    (select min(start_time) from staker where until is null),
    (select min(start_time) from staker where until > ${at.P.height})) as start`,
  )
  const start = rows[0]?.start ?? MAX_FUTURE_START
  return (await firstSince(store, 'P', start - MAX_FUTURE_START)) ?? 0n
}

/**
 * Selects the first transactions of each address and type, and from these the transactions of the page.
 */
function ofOwners(
  at: Snapshot,
  where: readonly RawBuilder<unknown>[],
  kinds: Kinds,
  query: Query,
): RawBuilder<unknown> {
  const added = sql`exists (select 1 from transaction as t where t.chain = 'P'
    and t.height = place.height and t.position = place.position and ${stakes(at, sql`t.id`)})`
  const conditions = [sql`place.address = owner.address`, ...where, ...(query.isStaking ? [added] : [])]
  const owners = sql`unnest(${sql.val([...(query.addresses ?? [])])}::bytea[]) as owner (address)`
  const tables = [
    { table: sql`transaction_address`, condition: PAYS_ITSELF },
    { table: sql`rewarded`, condition: sql`place.since <= ${at.P.height}` },
  ]
  if (kinds === undefined) return firstOf(owners, tables, conditions, query)
  const shown = kinds.filter(({ name }) => !NEVER_SHOWN.includes(name))
  const from = sql`${owners} cross join ${unnested(shown)}`
  return firstOf(from, tables, [...OF_KIND, ...conditions], query)
}

/**
 * Proposals that never show an owner: what they pay has the id of the staking transaction, which is listed for the owners.
 */
const NEVER_SHOWN: readonly string[] = ['AdvanceTimeTx', 'RewardValidatorTx']

/**
 * The condition that a transaction shows the owner. The rewards of auto-renewed validators have the id of the proposal, but
 * not every proposal pays all of its owners. The outputs are counted because the planner may answer `exists` with a hash of
 * all outputs of the owner.
 */
const PAYS_ITSELF = sql`place.name not in (${sql.join(NEVER_SHOWN.map(sql.lit))})
  and (place.name <> 'RewardAutoRenewedValidatorTx' or 0 < (
    select count(*) from transaction as t join utxo on utxo.tx_id = t.id where t.chain = 'P'
      and t.height = place.height and t.position = place.position and owner.address = any(utxo.addresses)))`

function ofAll(
  at: Snapshot,
  where: readonly RawBuilder<unknown>[],
  kinds: Kinds,
  query: Query,
): RawBuilder<unknown> {
  const tables = [{ table: sql`transaction`, condition: sql`true` }]
  if (kinds === undefined) return firstOf(undefined, tables, where, query)
  const staking = query.isStaking
    ? [sql`place.name in (${sql.raw(STAKING_LIST)})`, stakes(at, sql`place.id`)]
    : []
  return firstOf(unnested(kinds), tables, [...OF_KIND, ...where, ...staking], query)
}

const OF_KIND = [sql`place.name = kind.name`, sql`place.height >= kind.floor`]

function unnested(kinds: NonNullable<Kinds>): RawBuilder<unknown> {
  const [names, floors] = [kinds.map(({ name }) => name), kinds.map(({ floor }) => String(floor))]
  return sql`unnest(${sql.val(names)}::text[], ${sql.val(floors)}::bigint[]) as kind (name, floor)`
}

/** A table with the places of transactions, and a condition for its rows. */
interface Places {
  readonly table: RawBuilder<unknown>
  readonly condition: RawBuilder<unknown>
}

/**
 * Selects the positions of the first transactions in each table, up to the page limit. If `groups` is given, a separate
 * search with this limit runs for each row of `groups`.
 */
function firstOf(
  groups: RawBuilder<unknown> | undefined,
  tables: readonly Places[],
  conditions: readonly RawBuilder<unknown>[],
  query: Query,
): RawBuilder<unknown> {
  const [isBehind, order] = pageBy([sql`place.height`, sql`place.position`], query)
  const parts = tables.map(({ table, condition }) => {
    const where = sql.join([...conditions, condition, isBehind], sql` and `)
    return sql`(select height, position from ${table} as place where ${where} ${order})`
  })
  const places = sql.join(parts, sql` union all `)
  if (groups === undefined) return places
  return sql`select distinct place.height, place.position from ${groups} cross join lateral (${places}) as place ${order}`
}

/**
 * Returns the transactions with the given ids, in any order.
 *
 * @example
 * ```ts
 * import { type Store, Transactions } from '@firn/store'
 *
 * declare const store: Store
 * declare const id: Uint8Array
 * const at = await store.snapshot()
 * const [details] = await Transactions.detailsByIds(store, at, 'P', [id])
 * ```
 */
export async function detailsByIds(
  store: Store,
  at: Snapshot,
  chain: ChainAlias,
  ids: readonly Uint8Array[],
): Promise<Details[]> {
  if (ids.length === 0) return []
  const places = sql`select height, position from transaction where chain = ${chain}
    and id = any(${sql.val([...ids])}::bytea[]) and decided_height <= ${at[chain].height}`
  return select(store, chain, places, sql``)
}

async function select(
  store: Store,
  chain: ChainAlias,
  places: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): Promise<Details[]> {
  return fetchRows(
    store,
    sql<Details>`
    ${prepared} select t.id, t.name, t.height, t.position as ordinal, t.status, t.bytes, b.id as "blockId", b.time
    from (${places}) as p
    join transaction as t on t.chain = ${chain} and t.height = p.height and t.position = p.position
    join block as b on b.chain = ${chain} and b.height = p.height ${order}`,
  )
}

/**
 * Returns the SQL condition that the transaction's staker is in the snapshot. A staker's key is the id of its
 * transaction.
 */
function stakes(at: Snapshot, id: RawBuilder<unknown>): RawBuilder<unknown> {
  const { height } = at.P
  return sql`exists (select 1 from staker as s where s.key = ${id}
    and s.since <= ${height} and (s.until is null or s.until > ${height}))`
}

/**
 * Returns the SQL conditions that limit transactions to the blocks within a range of times, or undefined if there are
 * no such blocks. Block times never decrease.
 */
async function heights(
  store: Store,
  at: Snapshot,
  chain: ChainAlias,
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

/**
 * Returns the SQL condition that a transaction is decided at the snapshot. A proposal is decided by the next block,
 * so only the snapshot's last block can contain an undecided transaction.
 */
function decided(chain: ChainAlias, height: bigint): RawBuilder<unknown>[] {
  if (chain !== 'P') return []
  return [
    sql`(place.height < ${height} or not exists (select 1 from transaction as last
      where last.chain = 'P' and last.height = ${height} and last.decided_height > ${height}))`,
  ]
}

/**
 * Returns the P-chain's proposals to reward a staker in the blocks at the given heights.
 *
 * @example
 * ```ts
 * import { type Store, Transactions } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const proposals = await Transactions.rewards(store, at, [20_999_999n, 21_000_000n])
 * ```
 */
export async function rewards(store: Store, at: Snapshot, heights: readonly bigint[]): Promise<Details[]> {
  if (heights.length === 0) return []
  const places = sql`select height, position from transaction where chain = 'P'
    and height = any(${sql.val([...heights])}::bigint[]) and name in (${sql.raw(REWARD_LIST)})
    and decided_height <= ${at.P.height}`
  return select(store, 'P', places, sql``)
}
