import { sql } from 'kysely'
import { fetchRecords } from '../internal/database.ts'
import { holdsAt } from '../internal/holding.ts'
import * as RecordCodec from '../RecordCodec.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'

/**
 * Returns the supply of AVAX on the Primary Network, or of the staking asset of an elastic subnet. Returns
 * undefined for other subnets.
 *
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { type Store, Supplies } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const supply = await Supplies.bySubnet(store, at, Id.EMPTY) // in nAVAX
 * ```
 */
export async function bySubnet(
  store: Store,
  at: Snapshot,
  subnetId: Uint8Array,
): Promise<bigint | undefined> {
  const [record] = await fetchRecords(
    store,
    RecordCodec.supply,
    sql`select body from supply where key = ${subnetId} and ${holdsAt(at.P.height)}`,
  )
  return record?.supply
}
