import { CHAIN_ALIASES, type ChainAlias } from '@firn/codec'
import { fetchRecords, fetchRows } from '@firn/sql'
import { sql } from 'kysely'
import { holdsAt } from '../internal/holding.ts'
import * as RecordCodec from '../RecordCodec.ts'
import type { Position, Snapshot } from '../Snapshot.ts'
import * as Snapshots from '../Snapshot.ts'
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

/** Amounts of AVAX of which no earlier versions are stored, in nAVAX. */
export interface Newest {
  /** The newest blocks, after which the amounts are valid. */
  readonly at: Snapshot
  /**
   * What transactions burned, by chain. What is not derived yet is left out; see `Derivation.completeFrom`. Chains
   * without such transactions are left out.
   */
  readonly burned: readonly Burned[]
  /** Sum of the unspent outputs that are locked beyond the P-chain's time. Staked outputs are not part of it. */
  readonly locked: bigint
}

/**
 * Returns burned and locked AVAX with the blocks after which they are valid, all from one statement: a writer may store
 * the next block between two. Returns undefined if no network is stored.
 *
 * @example
 * ```ts
 * import { type Store, Supplies } from '@firn/store'
 *
 * declare const store: Store
 * declare const avaxAssetId: Uint8Array
 * const newest = await Supplies.newest(store, avaxAssetId)
 * console.log(newest?.at.P.height, newest?.locked)
 * ```
 */
export async function newest(store: Store, avaxAssetId: Uint8Array): Promise<Newest | undefined> {
  const rows = await fetchRows(
    store,
    sql<NewestRow>`select c.chain, c.height, c.block_id as "blockId", c.time, b.fee, b.deposited, l.locked
      from cursor as c
      left join (select chain, sum(fee) as fee, sum(deposited) as deposited from burned group by chain) as b
        on b.chain = c.chain
      cross join (select coalesce(sum(amount), 0) as locked from utxo
        cross join (select time from cursor where chain = 'P') as p
        where asset_id = ${avaxAssetId} and consumed_height is null and (locktime > 0 or stakeable_locktime > 0)
          and (locktime > p.time or stakeable_locktime > p.time)) as l
      order by c.chain`,
  )
  const [P, X, C] = CHAIN_ALIASES.map((name) => rows.find(({ chain }) => chain === name))
  if (P === undefined || X === undefined || C === undefined) return undefined
  const burned = rows.flatMap(({ chain, fee, deposited }) =>
    fee === null || deposited === null ? [] : [{ chain, fee, deposited }],
  )
  return { at: Snapshots.create({ P, X, C }), burned, locked: P.locked }
}

interface NewestRow extends Position {
  readonly chain: ChainAlias
  readonly fee: bigint | null
  readonly deposited: bigint | null
  readonly locked: bigint
}
