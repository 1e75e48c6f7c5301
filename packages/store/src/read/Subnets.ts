import type { Records } from '@firn/ledger'
import { anyOf, holdsAt } from '../internal/holding.ts'
import * as RecordCodec from '../RecordCodec.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'

/** The subnet with an id; undefined where the snapshot has none. The Primary Network is none. */
export async function byId(
  store: Store,
  at: Snapshot,
  subnetId: Uint8Array,
): Promise<Records.Subnet | undefined> {
  return (await byIds(store, at, [subnetId]))[0]
}

/** The subnets with these ids, in no order; ids of none are left out. */
export async function byIds(
  store: Store,
  at: Snapshot,
  subnetIds: readonly Uint8Array[],
): Promise<Records.Subnet[]> {
  const rows = await subnets(store, at).where('key', '=', anyOf(subnetIds)).execute()
  return rows.map(({ body }) => RecordCodec.subnet.decode(body))
}

/** All subnets, newest first. */
export async function all(store: Store, at: Snapshot): Promise<Records.Subnet[]> {
  const query = subnets(store, at).orderBy('created_height', 'desc').orderBy('created_ordinal', 'desc')
  return (await query.execute()).map(({ body }) => RecordCodec.subnet.decode(body))
}

function subnets(store: Store, at: Snapshot) {
  return store.db.selectFrom('subnet').select('body').where(holdsAt(at.P.height))
}
