import type { Chain } from '../Schema.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'

/** A transaction of an accepted block, or of the genesis. */
export interface Transaction {
  /** The block that contains it, and its place there. */
  readonly height: bigint
  readonly position: number
  readonly id: Uint8Array
  /** The name of its type, such as `BaseTx`. */
  readonly name: string
  readonly status: 'Committed' | 'Aborted' | 'Accepted'
  /** The block after which its fate was known. */
  readonly decidedHeight: bigint
  /** Signed. */
  readonly bytes: Uint8Array
}

/** The transaction with an id; undefined where the snapshot has none whose fate is known. */
export async function byId(
  store: Store,
  at: Snapshot,
  chain: Chain,
  id: Uint8Array,
): Promise<Transaction | undefined> {
  return store.db
    .selectFrom('transaction')
    .select(['height', 'position', 'id', 'name', 'status', 'decided_height as decidedHeight', 'bytes'])
    .where('chain', '=', chain)
    .where('id', '=', id)
    .where('decided_height', '<=', at[chain].height)
    .orderBy('height', 'desc')
    .executeTakeFirst()
}

/** What {@link byID} tells, without the bytes. */
export async function statusById(
  store: Store,
  at: Snapshot,
  chain: Chain,
  id: Uint8Array,
): Promise<Omit<Transaction, 'bytes'> | undefined> {
  return store.db
    .selectFrom('transaction')
    .select(['height', 'position', 'id', 'name', 'status', 'decided_height as decidedHeight'])
    .where('chain', '=', chain)
    .where('id', '=', id)
    .where('decided_height', '<=', at[chain].height)
    .orderBy('height', 'desc')
    .executeTakeFirst()
}
