import type { ChainAlias } from '@firn/codec'
import { fetchRows } from '@firn/sql'
import { sql } from 'kysely'
import type { Store } from '../Store.ts'
import type { Details } from './pages.ts'

/** A transaction with the height of the block that decided it. */
export interface Decided extends Details {
  readonly decidedHeight: bigint
}

/**
 * Returns the transactions that the blocks of a chain decided, from the block after the height `after` through `until`, in
 * the order in which they took effect. A proposal is decided by the block after the one that contains it.
 *
 * @example
 * ```ts
 * import { type Store, Transactions } from '@firn/store'
 *
 * declare const store: Store
 * const { P } = await store.snapshot()
 * const newest = await Transactions.decided(store, 'P', P.height - 1n, P.height)
 * ```
 */
export function decided(
  store: Store,
  chain: ChainAlias,
  after: bigint,
  until: bigint,
): Promise<readonly Decided[]> {
  return fetchRows(
    store,
    sql<Decided>`
    select t.id, t.name, t.height, t.position as ordinal, t.status, t.bytes, b.id as "blockId", b.time,
      t.decided_height as "decidedHeight"
    from transaction as t join block as b on b.chain = ${chain} and b.height = t.height
    where t.chain = ${chain} and t.height >= ${after} and t.height <= ${until}
      and t.decided_height > ${after} and t.decided_height <= ${until}
    order by t.decided_height, t.height, t.position`,
  )
}
