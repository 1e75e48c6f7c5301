import { type RawBuilder, sql } from 'kysely'
import { fetchFirst, fetchRows } from '../internal/database.ts'
import type { Chain } from '../Schema.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'

/** A transaction of an accepted block, or of the genesis. */
export interface Transaction {
  /** The block that contains it, and its position there. */
  readonly height: bigint
  readonly position: number
  readonly id: Uint8Array
  /** The name of its type, such as `BaseTx`. */
  readonly name: string
  readonly status: 'Committed' | 'Aborted' | 'Accepted'
  /** The block that decided it. */
  readonly decidedHeight: bigint
  /** The signed bytes. */
  readonly bytes: Uint8Array
}

/** Returns the transaction with an id; undefined where the snapshot has none that is decided. */
export function byId(
  store: Store,
  at: Snapshot,
  chain: Chain,
  id: Uint8Array,
): Promise<Transaction | undefined> {
  return select<Transaction>(store, at, chain, id, sql`, bytes`)
}

/** Returns what {@link byId} returns, without the bytes. */
export function statusById(
  store: Store,
  at: Snapshot,
  chain: Chain,
  id: Uint8Array,
): Promise<Omit<Transaction, 'bytes'> | undefined> {
  return select<Omit<Transaction, 'bytes'>>(store, at, chain, id, sql``)
}

/** Returns how many transactions are stored for each height from `first` through `last`; heights without any are left out. */
export async function counts(
  store: Store,
  chain: Chain,
  first: bigint,
  last: bigint,
): Promise<ReadonlyMap<bigint, number>> {
  const rows = await fetchRows(
    store,
    sql<{ height: bigint; count: bigint }>`select height, count(*) as count from transaction
      where chain = ${chain} and height >= ${first} and height <= ${last} group by height`,
  )
  return new Map(rows.map(({ height, count }) => [height, Number(count)]))
}

function select<Row>(store: Store, at: Snapshot, chain: Chain, id: Uint8Array, more: RawBuilder<unknown>) {
  return fetchFirst(
    store,
    sql<Row>`select height, position, id, name, status, decided_height as "decidedHeight" ${more} from transaction
      where chain = ${chain} and id = ${id} and decided_height <= ${at[chain].height} order by height desc`,
  )
}
