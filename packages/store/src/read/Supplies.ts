import { holdsAt } from '../internal/holding.ts'
import * as RecordCodec from '../RecordCodec.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'

/** The supply of AVAX on the Primary Network, or of its staking asset on an elastic subnet; undefined for other subnets. */
export async function bySubnet(
  store: Store,
  at: Snapshot,
  subnetId: Uint8Array,
): Promise<bigint | undefined> {
  const row = await store.db
    .selectFrom('supply')
    .select('body')
    .where('key', '=', subnetId)
    .where(holdsAt(at.P.height))
    .executeTakeFirst()
  return row && RecordCodec.supply.decode(row.body).supply
}
