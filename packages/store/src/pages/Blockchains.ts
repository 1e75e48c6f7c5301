import type { Records } from '@firn/ledger'
import { anyOf } from '../internal/holding.ts'
import * as RecordCodec from '../RecordCodec.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'
import { behind, type PageQuery } from './Order.ts'

/** A blockchain, and the time of the block that created it (Unix seconds). */
export interface Listed {
  readonly chain: Records.Chain
  readonly time: bigint
}

/** Blockchains in the order of their creation; the P-chain is none of them. */
export async function page(store: Store, at: Snapshot, query: PageQuery): Promise<Listed[]> {
  const rows = await select(store, at)
    .where(behind(['created_height', 'created_ordinal'], query))
    .orderBy('created_height', query.order)
    .orderBy('created_ordinal', query.order)
    .limit(query.limit)
    .execute()
  return rows.map(listed)
}

/** The blockchain with an id. */
export async function byId(store: Store, at: Snapshot, id: Uint8Array): Promise<Listed | undefined> {
  const row = await select(store, at).where('key', '=', id).executeTakeFirst()
  return row && listed(row)
}

/** The blockchains of some subnets, the newest first. */
export async function ofSubnets(
  store: Store,
  at: Snapshot,
  subnetIds: readonly Uint8Array[],
): Promise<Listed[]> {
  if (subnetIds.length === 0) return []
  const rows = await select(store, at)
    .where('subnet_id', '=', anyOf(subnetIds))
    .orderBy('created_height', 'desc')
    .orderBy('created_ordinal', 'desc')
    .execute()
  return rows.map(listed)
}

/** A blockchain never changes: its one version begins with the block that created it. */
function select(store: Store, at: Snapshot) {
  return store.db
    .selectFrom('blockchain')
    .innerJoin('block', (join) =>
      join.onRef('block.height', '=', 'blockchain.since').on('block.chain', '=', 'P'),
    )
    .select(['blockchain.body', 'block.time'])
    .where('blockchain.since', '<=', at.P.height)
}

function listed({ body, time }: { readonly body: Uint8Array; readonly time: bigint }): Listed {
  return { chain: RecordCodec.chain.decode(body), time }
}
