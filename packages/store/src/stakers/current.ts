import { Networks } from '@firn/genesis'
import type { Records } from '@firn/ledger'
import { fetchRecords, fetchRows } from '@firn/sql'
import { type RawBuilder, sql } from 'kysely'
import { anyOf, holdsAt } from '../internal/holding.ts'
import * as RecordCodec from '../RecordCodec.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'

/** Sum of the delegations to a validator. */
export interface Delegation {
  /** Node id of the validator (20 bytes). */
  readonly nodeId: Uint8Array
  readonly count: bigint
  /** Sum of the stakes, in nAVAX or the smallest unit of the subnet's asset. */
  readonly weight: bigint
}

/** Parameters of a search for stakes by address. */
export interface StakeQuery {
  /** Addresses; a stake matches if one of them owns a staked output. */
  readonly addresses: readonly Uint8Array[]
  /** `validators` returns only the validators' own stakes; `all` also returns the stakes of delegators. */
  readonly roles: 'validators' | 'all'
}

/**
 * Returns the current validators of a subnet in the order in which their staking periods end. If `nodeIds` is given,
 * only those validators are returned.
 *
 * @example
 * ```ts
 * import { Id, NodeId } from '@firn/codec'
 * import { Stakers, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const nodeId = NodeId.parse('NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg')
 * const [validator] = await Stakers.validators(store, at, Id.EMPTY, [nodeId])
 * ```
 */
export function validators(
  store: Store,
  at: Snapshot,
  subnetId: Uint8Array,
  nodeIds?: readonly Uint8Array[],
): Promise<Records.Staker[]> {
  return records(store, sql`${isCurrent(at, subnetId, nodeIds)} and role = 'validator'`, LEAVING)
}

/**
 * Returns the current delegators of a validator in the order in which their staking periods end.
 *
 * @example
 * ```ts
 * import { Id, NodeId } from '@firn/codec'
 * import { Stakers, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const nodeId = NodeId.parse('NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg')
 * const delegators = await Stakers.delegators(store, at, Id.EMPTY, nodeId)
 * ```
 */
export function delegators(
  store: Store,
  at: Snapshot,
  subnetId: Uint8Array,
  nodeId: Uint8Array,
): Promise<Records.Staker[]> {
  return records(store, sql`${isCurrent(at, subnetId, [nodeId])} and role = 'delegator'`, LEAVING)
}

/**
 * Returns the current delegations on a subnet, summed by validator. Validators without delegators are left
 * out.
 *
 * @example
 * ```ts
 * import { Id, NodeId } from '@firn/codec'
 * import { Stakers, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * for (const { nodeId, weight } of await Stakers.delegations(store, at, Id.EMPTY))
 *   console.log(NodeId.format(nodeId), weight)
 * ```
 */
export function delegations(
  store: Store,
  at: Snapshot,
  subnetId: Uint8Array,
  nodeIds?: readonly Uint8Array[],
): Promise<Delegation[]> {
  return fetchRows(
    store,
    sql<Delegation>`select node_id as "nodeId", count(*) as count, sum(weight) as weight from staker
      where ${isCurrent(at, subnetId, nodeIds)} and role = 'delegator' group by node_id`,
  )
}

/**
 * Returns the stakers, on any subnet, with a staked output that one of the addresses owns. Current stakers come
 * first, in the order in which their staking periods end. Pending stakers follow, in the order in which their staking
 * periods start.
 *
 * @example
 * ```ts
 * import { Address } from '@firn/codec'
 * import { Stakers, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const address = Address.parseBytes('P-avax1slt2dhfu6a6qezcn5sgtagumq8ag8we75f84sw')
 * const stakers = await Stakers.byAddresses(store, at, { addresses: [address], roles: 'all' })
 * ```
 */
export function byAddresses(store: Store, at: Snapshot, query: StakeQuery): Promise<Records.Staker[]> {
  const role = query.roles === 'validators' ? sql`role = 'validator'` : sql`true`
  return records(
    store,
    sql`${holdsAt(at.P.height)} and stake_addresses && ${sql.val([...query.addresses])}::bytea[] and ${role}`,
    sql`status, case status when 'pending' then start_time else end_time end, priority, key`,
  )
}

/** A validator of the Primary Network at a height. */
export interface PrimaryValidator {
  readonly nodeId: Uint8Array
  /** Weight in nAVAX, including delegations. */
  readonly weight: bigint
  /** Start of the staking period in Unix seconds. */
  readonly startTime: bigint
}

/**
 * Returns the validators of the Primary Network at a height of the P-chain. Their weights include
 * delegations.
 *
 * @example
 * ```ts
 * import { Stakers, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const validators = await Stakers.primaryValidators(store, 21_000_000n)
 * ```
 */
export function primaryValidators(store: Store, height: bigint): Promise<PrimaryValidator[]> {
  return fetchRows(
    store,
    sql<PrimaryValidator>`select member.node_id as "nodeId", member.weight, staker.start_time as "startTime" from member
      join staker on staker.subnet_id = member.subnet_id and staker.node_id = member.node_id and staker.role = 'validator'
        and staker.status = 'current' and ${holdsAt(height, 'staker')}
      where member.subnet_id = ${Networks.PRIMARY_NETWORK_ID} and ${holdsAt(height, 'member')}`,
  )
}

const LEAVING = sql`end_time, priority, key`

function isCurrent(at: Snapshot, subnetId: Uint8Array, nodeIds?: readonly Uint8Array[]): RawBuilder<unknown> {
  const nodes = nodeIds === undefined ? sql`true` : sql`node_id = ${anyOf(nodeIds)}`
  return sql`subnet_id = ${subnetId} and status = 'current' and ${holdsAt(at.P.height)} and ${nodes}`
}

function records(store: Store, condition: RawBuilder<unknown>, order: RawBuilder<unknown>) {
  return fetchRecords(
    store,
    RecordCodec.staker,
    sql`select body from staker where ${condition} order by ${order}`,
  )
}
