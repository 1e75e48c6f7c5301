import type { Records } from '@firn/ledger'
import { sql } from 'kysely'
import { anyOf, holdsAt } from '../internal/holding.ts'
import * as RecordCodec from '../RecordCodec.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'

/** All that is delegated to a validator. */
export interface Delegation {
  /** The validator, 20 bytes. */
  readonly nodeId: Uint8Array
  readonly count: bigint
  /** nAVAX, or the smallest unit of the subnet's asset. */
  readonly weight: bigint
}

/** Whose stakes are asked for. */
export interface StakeQuery {
  /** One of them owns a staked output. */
  readonly addresses: readonly Uint8Array[]
  /** Validators' own stakes, or those of delegators too. */
  readonly roles: 'validators' | 'all'
}

/** The current validators of a subnet, all or those of `nodeIDs`, in the order in which they leave. */
export async function validators(
  store: Store,
  at: Snapshot,
  subnetId: Uint8Array,
  nodeIds?: readonly Uint8Array[],
): Promise<Records.Staker[]> {
  const query = current(store, at, subnetId, nodeIds)
    .select('body')
    .where('role', '=', 'validator')
    .orderBy('end_time')
    .orderBy('priority')
    .orderBy('key')
  return (await query.execute()).map(({ body }) => RecordCodec.staker.decode(body))
}

/** The current delegators of a validator, in the order in which they leave. */
export async function delegators(
  store: Store,
  at: Snapshot,
  subnetId: Uint8Array,
  nodeId: Uint8Array,
): Promise<Records.Staker[]> {
  const query = current(store, at, subnetId, [nodeId])
    .select('body')
    .where('role', '=', 'delegator')
    .orderBy('end_time')
    .orderBy('priority')
    .orderBy('key')
  return (await query.execute()).map(({ body }) => RecordCodec.staker.decode(body))
}

/** What is delegated on a subnet now, by validator; those without delegators are left out. */
export async function delegations(
  store: Store,
  at: Snapshot,
  subnetId: Uint8Array,
  nodeIds?: readonly Uint8Array[],
): Promise<Delegation[]> {
  return current(store, at, subnetId, nodeIds)
    .select(['node_id as nodeId', sql<bigint>`count(*)`.as('count'), sql<bigint>`sum(weight)`.as('weight')])
    .where('role', '=', 'delegator')
    .groupBy('node_id')
    .execute()
}

/**
 * Stakers of all subnets with an output of one of the addresses, first those current in the order in which they leave, then those
 * pending in the order in which they start.
 */
export async function ofAddresses(store: Store, at: Snapshot, query: StakeQuery): Promise<Records.Staker[]> {
  let rows = store.db
    .selectFrom('staker')
    .select('body')
    .where(holdsAt(at.P.height))
    .where(sql<boolean>`stake_addresses && ${[...query.addresses]}::bytea[]`)
    .orderBy('status')
    .orderBy(sql`case status when 'pending' then start_time else end_time end`)
    .orderBy('priority')
    .orderBy('key')
  if (query.roles === 'validators') rows = rows.where('role', '=', 'validator')
  return (await rows.execute()).map(({ body }) => RecordCodec.staker.decode(body))
}

function current(store: Store, at: Snapshot, subnetId: Uint8Array, nodeIds?: readonly Uint8Array[]) {
  const rows = store.db
    .selectFrom('staker')
    .where('subnet_id', '=', subnetId)
    .where('status', '=', 'current')
    .where(holdsAt(at.P.height))
  return nodeIds === undefined ? rows : rows.where('node_id', '=', anyOf(nodeIds))
}
