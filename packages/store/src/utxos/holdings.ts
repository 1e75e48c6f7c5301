import type { ChainAlias } from '@firn/codec'
import { fetchRows, toKey } from '@firn/sql'
import { sql } from 'kysely'
import { anyOf } from '../internal/holding.ts'
import { utxoAt } from '../internal/utxoAt.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'

/** An unspent output without its bytes, for computing balances. */
export interface Holding {
  readonly id: Uint8Array
  readonly txId: Uint8Array
  readonly outputIndex: number
  readonly assetId: Uint8Array
  /** Codec type id of the inner output. It is 7 for a transfer, even if the output is locked. */
  readonly outputType: number
  readonly amount: bigint | undefined
  /** Time before which the output cannot be spent, in Unix seconds; 0 if it is not locked. */
  readonly locktime: bigint
  /** Time until which a P-chain output can only be used for staking. */
  readonly stakeableLocktime: bigint | undefined
  /** Number of addresses that own the output. */
  readonly addresses: number
}

/**
 * Returns all unspent UTXOs of addresses that `chain` both produced and can spend, sorted by address and then newest
 * first. A UTXO that several of the addresses own occurs once, at the lowest of them.
 *
 * @example
 * ```ts
 * import { Address } from '@firn/codec'
 * import { type Store, Utxos } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const address = Address.parseBytes('P-avax1slt2dhfu6a6qezcn5sgtagumq8ag8we75f84sw')
 * const holdings = await Utxos.holdings(store, at, 'X', [address])
 * ```
 */
export async function holdings(
  store: Store,
  at: Snapshot,
  chain: ChainAlias,
  addresses: readonly Uint8Array[],
): Promise<Holding[]> {
  const top = at[chain].height
  const rows = await fetchRows(
    store,
    sql<HoldingRow>`select utxo.* from utxo_address as a cross join lateral (
        select id, tx_id as "txId", output_index as "outputIndex", asset_id as "assetId", output_type as "outputType",
          amount, locktime, stakeable_locktime as "stakeableLocktime", cardinality(addresses) as addresses
        ${utxoAt(chain, 'a')}) as utxo
      where a.address = ${anyOf(addresses)} and a.chain = ${chain} and a.source = ${chain} and a.height <= ${top}
        and (a.consumed_height is null or a.consumed_height > ${top})
      order by a.address, a.height desc, a.ordinal desc`,
  )
  const seen = new Set<string>()
  const once: Holding[] = []
  for (const row of rows) {
    const key = toKey(row.id)
    if (seen.has(key)) continue
    seen.add(key)
    once.push({
      ...row,
      amount: row.amount ?? undefined,
      stakeableLocktime: row.stakeableLocktime ?? undefined,
    })
  }
  return once
}

type HoldingRow = Omit<Holding, 'amount' | 'stakeableLocktime'> & {
  readonly amount: bigint | null
  readonly stakeableLocktime: bigint | null
}
