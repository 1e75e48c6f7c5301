import { Bytes } from '@firn/codec'
import type { Records } from '@firn/ledger'
import { behind, fetchRows, type Order, orderBy } from '@firn/sql'
import { type RawBuilder, sql } from 'kysely'
import * as RecordCodec from '../RecordCodec.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'

/** Status of a staker at a snapshot. Only validators of permissioned subnets can be removed. */
export type Status = 'active' | 'pending' | 'completed' | 'removed'

/** Filters of a page of stakers. A staker must match all of them. */
export interface Filter {
  readonly role: Records.Staker['role']
  /** Id of the subnet; undefined for all subnets. */
  readonly subnetId?: Uint8Array | undefined
  /**
   * Node ids (20 bytes each) of current and former validators. For delegators, they are the validators that
   * received the delegation.
   */
  readonly nodeIds?: readonly Uint8Array[] | undefined
  /** Addresses that receive rewards. A staker matches if one of them receives its rewards. */
  readonly rewardAddresses?: readonly Uint8Array[] | undefined
  /** Status of the stakers; undefined for any status. */
  readonly status?: Status | undefined
}

/** Position of a staker in a list. Stakers are sorted by start time, then by the id of their transaction. */
export interface Start {
  readonly startTime: bigint
  readonly txId: Uint8Array
}

/** Parameters of a page of stakers. */
export interface Query extends Filter {
  readonly after: Start | undefined
  readonly order: Order
  readonly limit: number
}

/** A staker as of the snapshot, or as it was when it stopped staking. */
export interface Details {
  readonly staker: Records.Staker
  readonly status: Status
  /** Height of the block that added the staker. */
  readonly since: bigint
  /**
   * Height and time (Unix seconds) of the block that ended the staking period; undefined if it has not ended.
   */
  readonly end: { readonly height: bigint; readonly time: bigint } | undefined
  /** Id of the transaction that removed the staker. */
  readonly removedBy: Uint8Array | undefined
  /**
   * Weight of the staker's node in the validator set of the snapshot, including delegations. It is 0 if the
   * node is not in the set.
   */
  readonly setWeight: bigint
}

/**
 * Returns current, pending and former stakers, sorted by start time.
 *
 * @example
 * ```ts
 * import { Stakers, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const query = { role: 'validator', status: 'active', after: undefined, order: 'desc', limit: 25 } as const
 * const newest = await Stakers.page(store, at, query)
 * ```
 */
export async function page(store: Store, at: Snapshot, query: Query): Promise<Details[]> {
  const { after, limit } = query
  const columns = [sql`start_time`, sql`key`]
  const isBehind = behind(columns, after && [after.startTime, after.txId], query.order)
  const order = sql`${orderBy(columns, query.order)} limit ${limit}`
  const sources = sourcesOf(at, query).map(({ conditions, isSorted }) => {
    const where = sql.join([...conditions, isBehind], sql` and `)
    return { places: sql`select key, since, start_time from staker where ${where}`, isSorted }
  })
  // If few rows match, they are found first and sorted afterwards. An index scan in the order of the list
  // could read the whole table.
  const few = sources.map(({ places, isSorted }, i) =>
    isSorted ? [] : [sql`${sql.ref(`few${i}`)} as materialized (${places})`],
  )
  const parts = sources.map(({ places, isSorted }, i) =>
    isSorted ? sql`(${places} ${order})` : sql`(select * from ${sql.ref(`few${i}`)} ${order})`,
  )
  const withs = few.flat().length === 0 ? sql`` : sql`with ${sql.join(few.flat())}`
  const rows = await fetchRows(
    store,
    sql<Row>`
    ${withs} select staker.body, staker.status, staker.until, ended.time as "endTime", removal.id as "removedBy",
      (select min(since) from staker as first where first.key = staker.key) as since,
      coalesce(member.weight, 0) as "setWeight"
    from (select * from (${sql.join(parts, sql` union all `)}) as place ${order}) as place
    join staker on staker.key = place.key and staker.since = place.since
    left join block as ended on ended.chain = 'P' and ended.height = staker.until and staker.until <= ${at.P.height}
    left join lateral (${removal(sql`id`)} and staker.until <= ${at.P.height} limit 1) as removal on true
    left join lateral (select weight from member as member
      where member.key = staker.subnet_id || staker.node_id and member.since <= ${at.P.height}
        and (member.until is null or member.until > ${at.P.height}) limit 1) as member on true
    ${orderBy([sql`place.start_time`, sql`place.key`], query.order)}`,
  )
  return rows.map((row) => toDetails(row))
}

interface Row {
  readonly body: Uint8Array
  readonly status: 'pending' | 'current'
  readonly since: bigint
  readonly until: bigint | null
  readonly endTime: bigint | null
  readonly removedBy: Uint8Array | null
  readonly setWeight: bigint
}

function toDetails({ body, status, since, until, endTime, removedBy, setWeight }: Row): Details {
  const staker = RecordCodec.staker.decode(body)
  const common = { staker, since, removedBy: removedBy ?? undefined, setWeight }
  if (until === null || endTime === null) {
    return { ...common, status: status === 'pending' ? 'pending' : 'active', end: undefined }
  }
  return {
    ...common,
    status: removedBy === null ? 'completed' : 'removed',
    end: { height: until, time: endTime },
  }
}

interface Source {
  readonly conditions: readonly RawBuilder<unknown>[]
  /** Whether an index returns the matching versions in the order of the list. */
  readonly isSorted: boolean
}

/**
 * Returns the versions to read: the current ones, those that ended after the snapshot, and the last versions of
 * stakers that had stopped staking by then.
 */
function sourcesOf(at: Snapshot, { status, ...filter }: Filter): Source[] {
  const { height } = at.P
  const filters = filtersOf(filter)
  const { subnetId, nodeIds, rewardAddresses } = filter
  // Most stakers belong to the Primary Network, so a filter for it excludes few rows.
  const isOfMost = subnetId === undefined || Bytes.isZero(subnetId)
  const isSorted = isOfMost && nodeIds === undefined && rewardAddresses === undefined
  const held =
    status === 'active' ? [sql`status = 'current'`] : status === 'pending' ? [sql`status = 'pending'`] : []
  const now = [sql`until is null`, sql`since <= ${height}`, ...held]
  const then = [sql`until > ${height}`, sql`since <= ${height}`, ...held]
  const gone = [sql`until <= ${height}`, LAST]
  if (status === 'completed') gone.push(isNone(removal(sql`false`)))
  if (status === 'removed') gone.push(sql`kind = 'permissioned'`, sql`not ${isNone(removal(sql`false`))}`)
  const isGoneOnly = status === 'completed' || status === 'removed'
  const isHeldOnly = status === 'active' || status === 'pending'
  return [
    ...(isGoneOnly ? [] : [{ conditions: [...filters, ...now], isSorted }]),
    ...(isGoneOnly ? [] : [{ conditions: [...filters, ...then], isSorted: false }]),
    ...(isHeldOnly ? [] : [{ conditions: [...filters, ...gone], isSorted }]),
  ]
}

function filtersOf({ role, subnetId, nodeIds, rewardAddresses }: Filter): RawBuilder<unknown>[] {
  return [
    sql`role = ${role}`,
    ...(subnetId === undefined ? [] : [sql`subnet_id = ${subnetId}`]),
    ...(nodeIds === undefined ? [] : [sql`node_id = any(${sql.val([...nodeIds])}::bytea[])`]),
    ...(rewardAddresses === undefined
      ? []
      : [sql`reward_addresses && ${sql.val([...rewardAddresses])}::bytea[]`]),
  ]
}

/** SQL condition that no later version exists, so the staker stopped staking when this version ended. */
const LAST = isNone(
  sql`select false from staker as next where next.key = staker.key and next.since = staker.until`,
)

/**
 * Returns the SQL condition that `found`, which selects `false`, returns no row. It is evaluated row by row. The
 * planner turns `not exists` into a join, estimates that no rows remain, and reads the whole table.
 */
function isNone(found: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce((${found} limit 1), true)`
}

/** Selects the transaction in which the owner of a subnet removed a validator. */
function removal(column: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select ${column} from transaction as removal
    where staker.kind = 'permissioned' and removal.chain = 'P' and removal.height = staker.until
      and removal.name = 'RemoveSubnetValidatorTx' and position(staker.node_id in removal.bytes) > 0
      and position(staker.subnet_id in removal.bytes) > 0`
}

/** A validator, with the heights between which it was validating. */
export interface Validation {
  readonly subnetId: Uint8Array
  readonly nodeId: Uint8Array
  readonly since: bigint
  /** Height at which the validator stopped validating; undefined if it is still validating at the snapshot. */
  readonly until: bigint | undefined
}

/** Sum of the delegations to a validator. */
export interface Delegated {
  readonly count: bigint
  readonly weight: bigint
}

/**
 * Returns the sum of the delegations to each current or former validator in `validations`, as of the snapshot and in
 * the same order.
 *
 * @example
 * ```ts
 * import { Stakers, type Store } from '@firn/store'
 *
 * declare const store: Store
 * declare const validations: readonly Stakers.Validation[]
 * const at = await store.snapshot()
 * const [first] = await Stakers.delegated(store, at, validations)
 * console.log(first?.count, first?.weight)
 * ```
 */
export async function delegated(
  store: Store,
  at: Snapshot,
  validations: readonly Validation[],
): Promise<Delegated[]> {
  if (validations.length === 0) return []
  const { height } = at.P
  const untils = sql.val(validations.map(({ until }) => (until === undefined ? null : String(until))))
  const of = (condition: RawBuilder<unknown>) => sql`select weight from staker
    where staker.node_id = validation.node_id and staker.subnet_id = validation.subnet_id and role = 'delegator'
      and status = 'current' and ${condition}`
  return fetchRows(
    store,
    sql<Delegated>`
    select count(staker.weight), coalesce(sum(staker.weight), 0) as weight
    from unnest(${sql.val(validations.map(({ subnetId }) => subnetId))}::bytea[],
      ${sql.val(validations.map(({ nodeId }) => nodeId))}::bytea[],
      ${sql.val(validations.map(({ since }) => String(since)))}::bigint[], ${untils}::bigint[])
      with ordinality as validation (subnet_id, node_id, since, until, place)
    left join lateral (
      ${of(sql`validation.until is null and staker.until is null and staker.since <= ${height}`)} union all
      ${of(sql`validation.until is null and staker.until > ${height} and staker.since <= ${height}`)} union all
      ${of(sql`staker.until > validation.since and staker.until <= validation.until and staker.since >= validation.since and ${LAST}`)}
    ) as staker on true
    group by validation.place order by validation.place`,
  )
}

/**
 * Returns the validator record of a node at a height for each of `requests`, in the same order. The record is
 * undefined if the node was neither a current nor a pending validator of the subnet at that height.
 *
 * @example
 * ```ts
 * import { Id, NodeId } from '@firn/codec'
 * import { Stakers, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const nodeId = NodeId.parse('NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg')
 * const [validator] = await Stakers.validatorsAt(store, Id.EMPTY, [{ nodeId, height: 21_000_000n }])
 * ```
 */
export async function validatorsAt(
  store: Store,
  subnetId: Uint8Array,
  requests: readonly { readonly nodeId: Uint8Array; readonly height: bigint }[],
): Promise<(Records.Staker | undefined)[]> {
  if (requests.length === 0) return []
  const rows = await fetchRows(
    store,
    sql<{ body: Uint8Array | null }>`
    select staker.body from unnest(${sql.val(requests.map(({ nodeId }) => nodeId))}::bytea[],
      ${sql.val(requests.map(({ height }) => String(height)))}::bigint[]) with ordinality as requests (node_id, height, place)
    left join lateral (select body from staker
      where staker.node_id = requests.node_id and staker.subnet_id = ${subnetId} and role = 'validator'
        and staker.since <= requests.height and (staker.until is null or staker.until > requests.height) limit 1) as staker on true
    order by requests.place`,
  )
  return rows.map(({ body }) => (body === null ? undefined : RecordCodec.staker.decode(body)))
}

/**
 * Returns the ids of at most `limit` nodes that are or were validators, in ascending order. The query makes one index
 * lookup per node.
 *
 * @example
 * ```ts
 * import { NodeId } from '@firn/codec'
 * import { Stakers, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const nodeIds = await Stakers.nodeIds(store, 100)
 * console.log(nodeIds.map(NodeId.format))
 * ```
 */
export async function nodeIds(store: Store, limit: number): Promise<Uint8Array[]> {
  const rows = await fetchRows(
    store,
    sql<{ nodeId: Uint8Array }>`
    with recursive node (id) as (
      (select node_id from staker order by node_id limit 1) union all
      select (select node_id from staker where node_id > node.id order by node_id limit 1) from node where node.id is not null
    ) select id as "nodeId" from node where id is not null limit ${limit}`,
  )
  return rows.map(({ nodeId }) => nodeId)
}
