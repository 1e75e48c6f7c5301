import { Hex } from '@firn/codec'
import type { Records } from '@firn/ledger'
import { fetchRows, prepared } from '@firn/sql'
import { sql } from 'kysely'
import { STAKING_NAMES } from '../internal/stakingTypes.ts'
import * as RecordCodec from '../RecordCodec.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'

const NAMES: ReadonlySet<string> = new Set(STAKING_NAMES)

/** A staker as of the snapshot, or as it was when its staking period ended. */
export interface Staking {
  readonly staker: Records.Staker
  /** Height of the block that ended the staking period; undefined while the staker is still staking. */
  readonly endHeight: bigint | undefined
}

/**
 * Returns the stakers that transactions added, keyed by the transaction's id in hex. `name` is the type of the
 * transaction: only transactions of a type that adds a staker are looked up.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { Stakers, type Store } from '@firn/store'
 *
 * declare const store: Store
 * declare const id: Uint8Array
 * const at = await store.snapshot()
 * const byId = await Stakers.byTransactions(store, at, [{ id, name: 'AddPermissionlessValidatorTx' }])
 * console.log(byId.get(Hex.encodeBare(id)))
 * ```
 */
export function byTransactions(
  store: Store,
  at: Snapshot,
  transactions: readonly { readonly id: Uint8Array; readonly name: string }[],
): Promise<ReadonlyMap<string, Staking>> {
  return byIds(
    store,
    at,
    transactions.filter(({ name }) => NAMES.has(name)).map(({ id }) => id),
  )
}

/**
 * Returns the stakers with the given ids, which are the ids of the transactions that added them, keyed by the id in hex.
 * Ids of other transactions are left out.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { Stakers, type Store } from '@firn/store'
 *
 * declare const store: Store
 * declare const txId: Uint8Array
 * const stakers = await Stakers.byIds(store, await store.snapshot(), [txId])
 * console.log(stakers.get(Hex.encodeBare(txId))?.staker.nodeId)
 * ```
 */
export async function byIds(
  store: Store,
  at: Snapshot,
  txIds: readonly Uint8Array[],
): Promise<ReadonlyMap<string, Staking>> {
  if (txIds.length === 0) return new Map()
  const { height } = at.P
  const rows = await fetchRows(
    store,
    sql<{ key: Uint8Array; body: Uint8Array; until: bigint | null }>`
    ${prepared} select distinct on (key) key, body, until from staker
    where key = any(${sql.val([...txIds])}::bytea[]) and since <= ${height} order by key, since desc`,
  )
  return new Map(
    rows.map(({ key, body, until }) => [
      Hex.encodeBare(key),
      {
        staker: RecordCodec.staker.decode(body),
        endHeight: until === null || until > height ? undefined : until,
      },
    ]),
  )
}
