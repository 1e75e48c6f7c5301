import type { Records } from '@firn/ledger'
import { fetchFirst, fetchRows } from '@firn/sql'
import { type RawBuilder, sql } from 'kysely'
import { holdsAt } from '../internal/holding.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'

/**
 * Returns the validator set of a subnet at an accepted height of the P-chain, in any order. Signature checks use this
 * set.
 *
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { type Store, Validators } from '@firn/store'
 *
 * declare const store: Store
 * const subnetId = Id.parse('p433wpuXyJiDhyazPYyZMJeaoPSW76CBZ2x7wrVPLgvokotXz')
 * const members = await Validators.setAt(store, 21_000_000n, subnetId)
 * ```
 */
export function setAt(store: Store, height: bigint, subnetId: Uint8Array): Promise<Records.Member[]> {
  return members(store, sql`${holdsAt(height)} and subnet_id = ${subnetId}`)
}

/**
 * Returns the members of the validator sets of all subnets at an accepted height of the P-chain, grouped by subnet.
 *
 * @example
 * ```ts
 * import { type Store, Validators } from '@firn/store'
 *
 * declare const store: Store
 * const members = await Validators.allAt(store, 21_000_000n)
 * ```
 */
export function allAt(store: Store, height: bigint): Promise<Records.Member[]> {
  return members(store, sql`${holdsAt(height)} order by subnet_id`)
}

/**
 * Returns the weight of a validator in its set at a height, including delegations. Returns 0 if the validator
 * is not in the set.
 *
 * @example
 * ```ts
 * import { Id, NodeId } from '@firn/codec'
 * import { type Store, Validators } from '@firn/store'
 *
 * declare const store: Store
 * const nodeId = NodeId.parse('NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg')
 * const weight = await Validators.weightAt(store, 21_000_000n, Id.EMPTY, nodeId)
 * ```
 */
export async function weightAt(
  store: Store,
  height: bigint,
  subnetId: Uint8Array,
  nodeId: Uint8Array,
): Promise<bigint> {
  const row = await fetchFirst(
    store,
    sql<{ weight: bigint }>`select weight from member
      where ${holdsAt(height)} and subnet_id = ${subnetId} and node_id = ${nodeId}`,
  )
  return row?.weight ?? 0n
}

/**
 * Returns the sum of the weights of a subnet's validator set, or 0 for a subnet without validators.
 *
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { type Store, Validators } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const weight = await Validators.totalWeight(store, at, Id.EMPTY)
 * ```
 */
export async function totalWeight(store: Store, at: Snapshot, subnetId: Uint8Array): Promise<bigint> {
  const row = await fetchFirst(
    store,
    sql<{ weight: bigint }>`select coalesce(sum(weight), 0) as weight from member
      where ${holdsAt(at.P.height)} and subnet_id = ${subnetId}`,
  )
  return row?.weight ?? 0n
}

async function members(store: Store, condition: RawBuilder<unknown>): Promise<Records.Member[]> {
  const rows = await fetchRows(
    store,
    sql<Omit<Records.Member, 'publicKey'> & { publicKey: Uint8Array | null }>`
      select subnet_id as "subnetId", node_id as "nodeId", weight, public_key as "publicKey" from member
      where ${condition}`,
  )
  return rows.map(({ publicKey, ...row }) => ({ ...row, publicKey: publicKey ?? undefined }))
}
