import { Bytes } from '@firn/codec'
import type { Records } from '@firn/ledger'
import { type RawBuilder, sql } from 'kysely'
import * as RecordCodec from '../RecordCodec.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'
import type { Order } from './Order.ts'

/** What became of a staker until a snapshot. Only validators that a subnet's owner admitted can be removed. */
export type Status = 'active' | 'pending' | 'completed' | 'removed'

/** Whose stakes are asked for; all filters hold together. */
export interface Filter {
  readonly role: Records.Staker['role']
  /** Undefined: of every subnet. */
  readonly subnetId?: Uint8Array | undefined
  /** Validators that are or were, 20 bytes each, or that were staked on. */
  readonly nodeIds?: readonly Uint8Array[] | undefined
  /** One of them gets the reward. */
  readonly rewardAddresses?: readonly Uint8Array[] | undefined
  /** Undefined: any. */
  readonly status?: Status | undefined
}

/** A staker's place: they are listed by when they start, then by their transaction's id. */
export interface Start {
  readonly startTime: bigint
  readonly txId: Uint8Array
}

/** One page of them. */
export interface Query extends Filter {
  readonly after: Start | undefined
  readonly order: Order
  readonly limit: number
}

/** A staker as the snapshot has it, or as it was when it left. */
export interface Listed {
  readonly staker: Records.Staker
  readonly status: Status
  /** The height that it came with. */
  readonly since: bigint
  /** The block after which it was none any more, and that block's time (Unix seconds). */
  readonly end: { readonly height: bigint; readonly time: bigint } | undefined
  /** The transaction that removed it. */
  readonly removedBy: Uint8Array | undefined
  /** The weight of its node in the validator set of the snapshot, delegations included; 0 where it is not in the set. */
  readonly setWeight: bigint
}

const STAKER = sql.table('staker')

/** Stakers, current, to come and gone ones, by when they start. */
export async function page(store: Store, at: Snapshot, query: Query): Promise<Listed[]> {
  const { after, limit } = query
  const direction = sql.raw(query.order)
  const sign = query.order === 'asc' ? sql`>` : sql`<`
  const behind = after && sql`(start_time, key) ${sign} (${after.startTime}, ${after.txId})`
  const order = sql`order by start_time ${direction}, key ${direction} limit ${limit}`
  const sources = sourcesOf(at, query).map(({ conditions, isSorted }) => {
    const where = sql.join([...conditions, ...(behind === undefined ? [] : [behind])], sql` and `)
    return { places: sql`select key, since, start_time from ${STAKER} as staker where ${where}`, isSorted }
  })
  // What few rows match is found by them and sorted then: walking the order until enough have come could take the whole table.
  const few = sources.map(({ places, isSorted }, i) =>
    isSorted ? [] : [sql`${sql.ref(`few${i}`)} as materialized (${places})`],
  )
  const parts = sources.map(({ places, isSorted }, i) =>
    isSorted ? sql`(${places} ${order})` : sql`(select * from ${sql.ref(`few${i}`)} ${order})`,
  )
  const withs = few.flat().length === 0 ? sql`` : sql`with ${sql.join(few.flat())}`
  const { rows } = await sql<Row>`
    ${withs} select staker.body, staker.status, staker.until, ended.time as "endTime", removal.id as "removedBy",
      (select min(since) from ${STAKER} as first where first.key = staker.key) as since,
      coalesce(member.weight, 0) as "setWeight"
    from (select * from (${sql.join(parts, sql` union all `)}) as place ${order}) as place
    join ${STAKER} as staker on staker.key = place.key and staker.since = place.since
    left join ${sql.table('block')} as ended on ended.chain = 'P' and ended.height = staker.until and staker.until <= ${at.P.height}
    left join lateral (${removal(sql`id`)} and staker.until <= ${at.P.height} limit 1) as removal on true
    left join lateral (select weight from ${sql.table('member')} as member
      where member.key = staker.subnet_id || staker.node_id and member.since <= ${at.P.height}
        and (member.until is null or member.until > ${at.P.height}) limit 1) as member on true
    order by place.start_time ${direction}, place.key ${direction}`.execute(store.db)
  return rows.map((row) => listed(row))
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

function listed({ body, status, since, until, endTime, removedBy, setWeight }: Row): Listed {
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
  /** Whether an index has it in the list's order. */
  readonly isSorted: boolean
}

/** The versions that tell of stakers: those that hold, those that held at the snapshot, and the last ones of those that had left. */
function sourcesOf(at: Snapshot, { status, ...filter }: Filter): Source[] {
  const { height } = at.P
  const filters = filtersOf(filter)
  const { subnetId, nodeIds, rewardAddresses } = filter
  // Most stakers are those of the Primary Network.
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

/** A version that no other followed: after it there was no such staker. */
const LAST = isNone(
  sql`select false from ${STAKER} as next where next.key = staker.key and next.since = staker.until`,
)

/**
 * The condition that nothing is found, row by row: of `not exists` the planner makes a join, which it thinks leaves nothing, and for
 * which it reads all.
 */
function isNone(found: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce((${found} limit 1), true)`
}

/** The transaction by which the owner of a subnet removed a validator. */
function removal(column: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select ${column} from ${sql.table('transaction')} as removal
    where staker.kind = 'permissioned' and removal.chain = 'P' and removal.height = staker.until
      and removal.name = 'RemoveSubnetValidatorTx' and position(staker.node_id in removal.bytes) > 0
      and position(staker.subnet_id in removal.bytes) > 0`
}

/** A validator and the heights between which it was one. */
export interface Validation {
  readonly subnetId: Uint8Array
  readonly nodeId: Uint8Array
  readonly since: bigint
  /** Undefined: it is one at the snapshot. */
  readonly until: bigint | undefined
}

/** What was delegated to a validator. */
export interface Delegated {
  readonly count: bigint
  readonly weight: bigint
}

/**
 * What is delegated to validators at the snapshot, or was while those were there that have left; in the order of `validations`.
 */
export async function delegated(
  store: Store,
  at: Snapshot,
  validations: readonly Validation[],
): Promise<Delegated[]> {
  if (validations.length === 0) return []
  const { height } = at.P
  const untils = sql.val(validations.map(({ until }) => (until === undefined ? null : String(until))))
  const of = (condition: RawBuilder<unknown>) => sql`select weight from ${STAKER} as staker
    where staker.node_id = validation.node_id and staker.subnet_id = validation.subnet_id and role = 'delegator'
      and status = 'current' and ${condition}`
  const { rows } = await sql<Delegated>`
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
    group by validation.place order by validation.place`.execute(store.db)
  return rows
}

/** The validator of the Primary Network, or of another subnet, that a node was at a height; in the order of `wanted`. */
export async function validatorsAt(
  store: Store,
  subnetId: Uint8Array,
  wanted: readonly { readonly nodeId: Uint8Array; readonly height: bigint }[],
): Promise<(Records.Staker | undefined)[]> {
  if (wanted.length === 0) return []
  const { rows } = await sql<{ body: Uint8Array | null }>`
    select staker.body from unnest(${sql.val(wanted.map(({ nodeId }) => nodeId))}::bytea[],
      ${sql.val(wanted.map(({ height }) => String(height)))}::bigint[]) with ordinality as wanted (node_id, height, place)
    left join lateral (select body from ${STAKER} as staker
      where staker.node_id = wanted.node_id and staker.subnet_id = ${subnetId} and role = 'validator'
        and staker.since <= wanted.height and (staker.until is null or staker.until > wanted.height) limit 1) as staker on true
    order by wanted.place`.execute(store.db)
  return rows.map(({ body }) => (body === null ? undefined : RecordCodec.staker.decode(body)))
}

/** The ids of all nodes that ever staked or were staked on, ascending, at most `limit`: one look into the index for each. */
export async function nodeIds(store: Store, limit: number): Promise<Uint8Array[]> {
  const { rows } = await sql<{ nodeID: Uint8Array }>`
    with recursive node (id) as (
      (select node_id from ${STAKER} order by node_id limit 1) union all
      select (select node_id from ${STAKER} where node_id > node.id order by node_id limit 1) from node where node.id is not null
    ) select id as "nodeID" from node where id is not null limit ${limit}`.execute(store.db)
  return rows.map(({ nodeID: nodeId }) => nodeId)
}
