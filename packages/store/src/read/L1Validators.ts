import type { Records } from '@firn/ledger'
import { anyOf, holdsAt } from '../internal/holding.ts'
import * as RecordCodec from '../RecordCodec.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'

/** The L1 validator with a validation id, active or not; undefined where the snapshot has none. */
export async function byId(
  store: Store,
  at: Snapshot,
  validationId: Uint8Array,
): Promise<Records.L1Validator | undefined> {
  const row = await validators(store, at).where('key', '=', validationId).executeTakeFirst()
  return row && RecordCodec.l1Validator.decode(row.body)
}

/** The L1 validators of a subnet, all or those of `nodeIDs`, active or not; ascending by NodeID. */
export async function bySubnet(
  store: Store,
  at: Snapshot,
  subnetId: Uint8Array,
  nodeIds?: readonly Uint8Array[],
): Promise<Records.L1Validator[]> {
  const query = validators(store, at).where('subnet_id', '=', subnetId).orderBy('node_id')
  const rows = nodeIds === undefined ? query : query.where('node_id', '=', anyOf(nodeIds))
  return (await rows.execute()).map(({ body }) => RecordCodec.l1Validator.decode(body))
}

function validators(store: Store, at: Snapshot) {
  return store.db.selectFrom('l1_validator').select('body').where(holdsAt(at.P.height))
}
