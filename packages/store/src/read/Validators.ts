import type { Records } from '@firn/ledger'
import { sql } from 'kysely'
import { holdsAt } from '../internal/holding.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'

/** The validator set of a subnet at any accepted height, as signature checks see it. In no order. */
export async function setAt(store: Store, height: bigint, subnetId: Uint8Array): Promise<Records.Member[]> {
  const rows = await members(store, height).where('subnet_id', '=', subnetId).execute()
  return rows.map(member)
}

/** The validator sets of all subnets at any accepted height; members of one subnet follow each other. */
export async function allAt(store: Store, height: bigint): Promise<Records.Member[]> {
  const rows = await members(store, height).orderBy('subnet_id').execute()
  return rows.map(member)
}

/** The weight of a validator in its set, delegations included; 0: it is not in the set. */
export async function weightOf(
  store: Store,
  at: Snapshot,
  subnetId: Uint8Array,
  nodeId: Uint8Array,
): Promise<bigint> {
  const row = await store.db
    .selectFrom('member')
    .select('weight')
    .where(holdsAt(at.P.height))
    .where('subnet_id', '=', subnetId)
    .where('node_id', '=', nodeId)
    .executeTakeFirst()
  return row?.weight ?? 0n
}

/** The weight of all members of a subnet's set; 0 for a subnet that nobody validates. */
export async function totalWeight(store: Store, at: Snapshot, subnetId: Uint8Array): Promise<bigint> {
  const { weight } = await store.db
    .selectFrom('member')
    .select(sql<bigint>`coalesce(sum(weight), 0)`.as('weight'))
    .where(holdsAt(at.P.height))
    .where('subnet_id', '=', subnetId)
    .executeTakeFirstOrThrow()
  return weight
}

interface Row {
  readonly subnetId: Uint8Array
  readonly nodeId: Uint8Array
  readonly weight: bigint
  readonly publicKey: Uint8Array | null
}

function members(store: Store, height: bigint) {
  return store.db
    .selectFrom('member')
    .select(['subnet_id as subnetId', 'node_id as nodeId', 'weight', 'public_key as publicKey'])
    .where(holdsAt(height))
}

function member({ publicKey, ...row }: Row): Records.Member {
  return { ...row, publicKey: publicKey ?? undefined }
}
