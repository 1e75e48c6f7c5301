import type { ChainAlias } from '@firn/codec'
import { fetchRows } from '@firn/sql'
import { type RawBuilder, sql } from 'kysely'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'

/** Lock of an output: `none`, `time` before its locktime, or `stakeable` while it can only be used for staking. */
export type Lock = 'none' | 'time' | 'stakeable'

/** Amount of one asset that the addresses hold in outputs of one chain with the same kind of lock. */
export interface Balance {
  /** Chain that produced the outputs. If another chain can spend them, they can be imported there. */
  readonly source: ChainAlias
  readonly assetId: Uint8Array
  readonly lock: Lock
  readonly isNft: boolean
  readonly amount: bigint
  /** Number of outputs. */
  readonly count: bigint
}

/** Codec type ids of outputs that can be transferred: amounts and NFTs. */
const TRANSFER = 7
const NFT_TRANSFER = 11

/**
 * Returns the balances of addresses in outputs that a chain can spend, including outputs in shared memory. An output
 * that several of the addresses own counts once.
 * @param now the time at which locks are evaluated, in Unix seconds
 * @example
 * ```ts
 * import { Address } from '@firn/codec'
 * import { type Store, Utxos } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const address = Address.parseBytes('P-avax1slt2dhfu6a6qezcn5sgtagumq8ag8we75f84sw')
 * const balances = await Utxos.balances(store, at, 'P', [address], at.P.time)
 * ```
 */
export async function balances(
  store: Store,
  at: Snapshot,
  chain: ChainAlias,
  addresses: readonly Uint8Array[],
  now: bigint,
): Promise<Balance[]> {
  return fetchRows(
    store,
    sql<Balance>`
    select utxo.source, utxo.asset_id as "assetId", utxo.output_type = ${NFT_TRANSFER} as "isNft",
      case when utxo.locktime > ${now} then 'time' when utxo.stakeable_locktime > ${now} then 'stakeable' else 'none' end as lock,
      coalesce(sum(utxo.amount), 0) as amount, count(*) as count
    from (${held(at, chain, addresses)}) as entry cross join lateral (
      select * from utxo as utxo
      where utxo.source = entry.source and utxo.height = entry.height and utxo.ordinal = entry.ordinal limit 1
    ) as utxo
    where utxo.output_type in (${TRANSFER}, ${NFT_TRANSFER})
    group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
  )
}

/**
 * Selects the positions of outputs that are unspent at the snapshot: those that are still unspent, and those
 * spent since then.
 */
function held(at: Snapshot, chain: ChainAlias, addresses: readonly Uint8Array[]): RawBuilder<unknown> {
  const entries = (condition: RawBuilder<unknown>) =>
    sql`select source, height, ordinal from utxo_address
      where address = any(${sql.val([...addresses])}::bytea[]) and chain = ${chain} and ${condition}
        and height <= case source when 'P' then ${at.P.height}::bigint when 'X' then ${at.X.height}::bigint else ${at.C.height}::bigint end`
  return sql`${entries(sql`consumed_height is null`)} union ${entries(sql`consumed_height > ${at[chain].height}`)}`
}
