import { type RawBuilder, sql } from 'kysely'
import type { Chain } from '../Schema.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'

/** What keeps outputs from being spent: nothing, their locktime, or a lock that still lets them be staked. */
export type Lock = 'none' | 'time' | 'stakeable'

/** What addresses hold of an asset in outputs that one chain made. */
export interface Sum {
  /** Another chain than the one that can spend them: they wait to be imported. */
  readonly source: Chain
  readonly assetID: Uint8Array
  readonly lock: Lock
  readonly isNft: boolean
  readonly amount: bigint
  /** How many outputs. */
  readonly count: bigint
}

/** Type ids of what can be transferred: amounts, and tokens that can't be exchanged for each other. */
const TRANSFER = 7
const NFT_TRANSFER = 11

/**
 * What some addresses hold in outputs that a chain can spend, those in shared memory included, each output once, whoever else owns it.
 * @param now Unix seconds that locks are judged by
 */
export async function byAddresses(
  store: Store,
  at: Snapshot,
  chain: Chain,
  addresses: readonly Uint8Array[],
  now: bigint,
): Promise<Sum[]> {
  const { rows } = await sql<Sum>`
    select utxo.source, utxo.asset_id as "assetID", utxo.output_type = ${NFT_TRANSFER} as "isNft",
      case when utxo.locktime > ${now} then 'time' when utxo.stakeable_locktime > ${now} then 'stakeable' else 'none' end as lock,
      coalesce(sum(utxo.amount), 0) as amount, count(*) as count
    from (${held(at, chain, addresses)}) as entry cross join lateral (
      select * from ${sql.table('utxo')} as utxo
      where utxo.source = entry.source and utxo.height = entry.height and utxo.ordinal = entry.ordinal limit 1
    ) as utxo
    where utxo.output_type in (${TRANSFER}, ${NFT_TRANSFER})
    group by 1, 2, 3, 4 order by 1, 2, 3, 4`.execute(store.db)
  return rows
}

/** The places of outputs that the snapshot has unspent: what is unspent by now, and what was spent since. */
function held(at: Snapshot, chain: Chain, addresses: readonly Uint8Array[]): RawBuilder<unknown> {
  const entries = (condition: RawBuilder<unknown>) =>
    sql`select source, height, ordinal from ${sql.table('utxo_address')}
      where address = any(${sql.val([...addresses])}::bytea[]) and chain = ${chain} and ${condition}
        and height <= case source when 'P' then ${at.P.height}::bigint when 'X' then ${at.X.height}::bigint else ${at.C.height}::bigint end`
  return sql`${entries(sql`consumed_height is null`)} union ${entries(sql`consumed_height > ${at[chain].height}`)}`
}
