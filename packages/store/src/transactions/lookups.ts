import type { ChainAlias } from '@firn/codec'
import { fetchFirst, fetchRows } from '@firn/sql'
import { type RawBuilder, sql } from 'kysely'
import { anyOf } from '../internal/holding.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'

/** A transaction of an accepted block or of the genesis. */
export interface Transaction {
  /** Height of the block that contains the transaction; `position` is the index in that block. */
  readonly height: bigint
  readonly position: number
  readonly id: Uint8Array
  /** Name of the transaction type, such as `BaseTx`. */
  readonly name: string
  readonly status: 'Committed' | 'Aborted' | 'Accepted'
  /** Height of the block that decided the transaction. */
  readonly decidedHeight: bigint
  /** Bytes of the signed transaction. */
  readonly bytes: Uint8Array
}

/**
 * Returns the decided transaction with the given id, or undefined if the snapshot does not contain it.
 *
 * @example
 * ```ts
 * import { type Store, Transactions } from '@firn/store'
 *
 * declare const store: Store
 * declare const id: Uint8Array
 * const at = await store.snapshot()
 * const transaction = await Transactions.byId(store, at, 'P', id)
 * ```
 */
export function byId(
  store: Store,
  at: Snapshot,
  chain: ChainAlias,
  id: Uint8Array,
): Promise<Transaction | undefined> {
  return select<Transaction>(store, at, chain, id, sql`, bytes`)
}

/**
 * Returns the same as {@link byId}, but without the transaction's bytes.
 *
 * @example
 * ```ts
 * import { type Store, Transactions } from '@firn/store'
 *
 * declare const store: Store
 * declare const id: Uint8Array
 * const at = await store.snapshot()
 * const transaction = await Transactions.statusById(store, at, 'P', id)
 * ```
 */
export function statusById(
  store: Store,
  at: Snapshot,
  chain: ChainAlias,
  id: Uint8Array,
): Promise<Omit<Transaction, 'bytes'> | undefined> {
  return select<Omit<Transaction, 'bytes'>>(store, at, chain, id, sql``)
}

/**
 * Returns which of the given ids (32 bytes each) belong to decided transactions, in any order.
 *
 * @example
 * ```ts
 * import { type Store, Transactions } from '@firn/store'
 *
 * declare const store: Store
 * declare const ids: readonly Uint8Array[]
 * const at = await store.snapshot()
 * const decided = await Transactions.decidedIds(store, at, 'P', ids)
 * ```
 */
export async function decidedIds(
  store: Store,
  at: Snapshot,
  chain: ChainAlias,
  ids: readonly Uint8Array[],
): Promise<Uint8Array[]> {
  const rows = await fetchRows(
    store,
    sql<{ id: Uint8Array }>`select id from transaction
      where chain = ${chain} and id = ${anyOf(ids)} and decided_height <= ${at[chain].height}`,
  )
  return rows.map(({ id }) => id)
}

/**
 * Returns the number of stored transactions for each height from `first` through `last`. Heights without
 * transactions are left out.
 *
 * @example
 * ```ts
 * import { type Store, Transactions } from '@firn/store'
 *
 * declare const store: Store
 * const counts = await Transactions.counts(store, 'P', 1n, 100n)
 * console.log(counts.get(42n) ?? 0)
 * ```
 */
export async function counts(
  store: Store,
  chain: ChainAlias,
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

function select<Row>(
  store: Store,
  at: Snapshot,
  chain: ChainAlias,
  id: Uint8Array,
  more: RawBuilder<unknown>,
) {
  return fetchFirst(
    store,
    sql<Row>`select height, position, id, name, status, decided_height as "decidedHeight" ${more} from transaction
      where chain = ${chain} and id = ${id} and decided_height <= ${at[chain].height} order by height desc`,
  )
}
