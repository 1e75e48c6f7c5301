import type { Records } from '@firn/ledger'
import { sql } from 'kysely'
import { holdsAt } from '../internal/holding.ts'
import * as RecordCodec from '../RecordCodec.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'

/** The blockchain with an id; undefined where the snapshot has none. The P-chain is none. */
export async function byId(
  store: Store,
  at: Snapshot,
  blockchainId: Uint8Array,
): Promise<Records.Chain | undefined> {
  const row = await chains(store, at).where('blockchain.key', '=', blockchainId).executeTakeFirst()
  return row && RecordCodec.chain.decode(row.body)
}

/** The blockchains of a subnet, newest first. */
export async function bySubnet(store: Store, at: Snapshot, subnetId: Uint8Array): Promise<Records.Chain[]> {
  const query = chains(store, at)
    .where('blockchain.subnet_id', '=', subnetId)
    .orderBy('blockchain.created_height', 'desc')
    .orderBy('blockchain.created_ordinal', 'desc')
  return (await query.execute()).map(({ body }) => RecordCodec.chain.decode(body))
}

/** All blockchains: those of the newest subnet first, of the Primary Network last, and of each the newest first. */
export async function all(store: Store, at: Snapshot): Promise<Records.Chain[]> {
  const query = chains(store, at)
    .leftJoin('subnet', (join) =>
      join.onRef('subnet.key', '=', 'blockchain.subnet_id').on(holdsAt(at.P.height, 'subnet')),
    )
    .orderBy(sql`subnet.created_height desc nulls last`)
    .orderBy(sql`subnet.created_ordinal desc nulls last`)
    .orderBy('blockchain.created_height', 'desc')
    .orderBy('blockchain.created_ordinal', 'desc')
  return (await query.execute()).map(({ body }) => RecordCodec.chain.decode(body))
}

function chains(store: Store, at: Snapshot) {
  return store.db.selectFrom('blockchain').select('blockchain.body').where(holdsAt(at.P.height, 'blockchain'))
}
