import type { Records } from '@firn/ledger'
import * as RecordCodec from '../RecordCodec.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'
import { behind, type PageQuery } from './Order.ts'

/** A subnet as the snapshot has it, and the time of the block that created it (Unix seconds). */
export interface Listed {
  readonly subnet: Records.Subnet
  readonly time: bigint
  /** The signed transaction that created it, which tells its first owner. */
  readonly created: Uint8Array
}

/** Subnets in the order of their creation; the Primary Network is none of them. */
export async function page(store: Store, at: Snapshot, query: PageQuery): Promise<Listed[]> {
  const rows = await select(store, at)
    .where(behind(['created_height', 'created_ordinal'], query))
    .orderBy('created_height', query.order)
    .orderBy('created_ordinal', query.order)
    .limit(query.limit)
    .execute()
  return rows.map(listed)
}

/** The subnet with an id. */
export async function byId(store: Store, at: Snapshot, id: Uint8Array): Promise<Listed | undefined> {
  const row = await select(store, at).where('subnet.key', '=', id).executeTakeFirst()
  return row && listed(row)
}

/** A subnet's id is that of the transaction that created it. */
function select(store: Store, at: Snapshot) {
  const { height } = at.P
  return store.db
    .selectFrom('subnet')
    .innerJoin('block', (join) =>
      join.onRef('block.height', '=', 'subnet.created_height').on('block.chain', '=', 'P'),
    )
    .innerJoin('transaction', (join) =>
      join
        .onRef('transaction.id', '=', 'subnet.key')
        .onRef('transaction.height', '=', 'subnet.created_height')
        .on('transaction.chain', '=', 'P'),
    )
    .select(['subnet.body', 'block.time', 'transaction.bytes'])
    .where('subnet.since', '<=', height)
    .where((or) => or.or([or('subnet.until', 'is', null), or('subnet.until', '>', height)]))
}

interface Row {
  readonly body: Uint8Array
  readonly time: bigint
  readonly bytes: Uint8Array
}

function listed({ body, time, bytes }: Row): Listed {
  return { subnet: RecordCodec.subnet.decode(body), time, created: bytes }
}
