import type { ChainAlias } from '@firn/codec'
import { sql } from 'kysely'
import { fetchFirst, fetchRecords, fetchRows } from '../internal/database.ts'
import { holdsAt } from '../internal/holding.ts'
import * as RecordCodec from '../RecordCodec.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'

/**
 * Returns the supply of AVAX on the Primary Network, or of the staking asset of an elastic subnet. Returns
 * undefined for other subnets.
 *
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { type Store, Supplies } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const supply = await Supplies.bySubnet(store, at, Id.EMPTY) // in nAVAX
 * ```
 */
export async function bySubnet(
  store: Store,
  at: Snapshot,
  subnetId: Uint8Array,
): Promise<bigint | undefined> {
  const [record] = await fetchRecords(
    store,
    RecordCodec.supply,
    sql`select body from supply where key = ${subnetId} and ${holdsAt(at.P.height)}`,
  )
  return record?.supply
}

/** AVAX that the transactions of a chain burned, in nAVAX; on the C-chain, only by atomic transactions. */
export interface Burned {
  readonly chain: ChainAlias
  readonly fee: bigint
  /** Payments to balances of L1 validators, which are not part of `fee`. */
  readonly deposited: bigint
}

/**
 * Returns the AVAX that the transactions of each chain burned up to the newest block. What is not derived yet is left out,
 * see `Derivation.completeFrom`. Chains without such transactions are left out.
 *
 * @example
 * ```ts
 * import { type Store, Supplies } from '@firn/store'
 *
 * declare const store: Store
 * const burned = await Supplies.burned(store)
 * console.log(burned.find(({ chain }) => chain === 'X')?.fee)
 * ```
 */
export function burned(store: Store): Promise<Burned[]> {
  return fetchRows(
    store,
    sql<Burned>`select chain, sum(fee) as fee, sum(deposited) as deposited from burned group by chain order by chain`,
  )
}

/**
 * Returns the sum of the unspent outputs of an asset that are locked beyond a time (Unix seconds), as of the newest block. Staked
 * outputs are not part of it.
 *
 * @example
 * ```ts
 * import { type Store, Supplies } from '@firn/store'
 *
 * declare const store: Store
 * declare const avaxAssetId: Uint8Array
 * const nAvax = await Supplies.locked(store, avaxAssetId, 1_795_219_200n)
 * ```
 */
export async function locked(store: Store, assetId: Uint8Array, time: bigint): Promise<bigint> {
  const row = await fetchFirst(
    store,
    sql<{ amount: bigint }>`select coalesce(sum(amount), 0) as amount from utxo
      where asset_id = ${assetId} and consumed_height is null and (locktime > 0 or stakeable_locktime > 0)
        and (locktime > ${time} or stakeable_locktime > ${time})`,
  )
  return row?.amount ?? 0n
}
