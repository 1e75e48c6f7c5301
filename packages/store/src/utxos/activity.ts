import { CHAIN_ALIASES, type ChainAlias } from '@firn/codec'
import { fetchRows } from '@firn/sql'
import { sql } from 'kysely'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'
import * as TransactionUtxos from './history.ts'

/** The output of some addresses that was produced or consumed last. */
export interface Activity {
  readonly utxo: TransactionUtxos.UtxoHistory
  /** Whether the output was consumed. If false, it was produced. */
  readonly isConsumed: boolean
}

/**
 * Returns the output that a chain produced or consumed last among the outputs of the addresses, or undefined if there
 * is none. Only outputs that the chain itself can spend count. For spent outputs, only the consumption is read,
 * because it came after the production.
 *
 * @example
 * ```ts
 * import { Address } from '@firn/codec'
 * import { type Store, Utxos } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const address = Address.parseBytes('P-avax1slt2dhfu6a6qezcn5sgtagumq8ag8we75f84sw')
 * const activity = await Utxos.lastActivity(store, at, 'X', [address])
 * console.log(activity?.utxo.time)
 * ```
 */
export async function lastActivity(
  store: Store,
  at: Snapshot,
  chain: ChainAlias,
  addresses: readonly Uint8Array[],
): Promise<Activity | undefined> {
  const { height } = at[chain]
  const own = sql`entry.address = owner.address and entry.chain = ${chain}`
  const made = sql`select entry.height, entry.ordinal, entry.source, entry.height as changed_height, false as "isConsumed"
    from utxo_address as entry where ${own} and entry.source = ${chain} and entry.height <= ${height}`
  const newest = sql`order by entry.height desc, entry.ordinal desc limit 1`
  const rows = await fetchRows(
    store,
    sql<{ source: ChainAlias; height: bigint; ordinal: number; isConsumed: boolean }>`
    select place.* from unnest(${sql.val([...addresses])}::bytea[]) as owner (address) cross join lateral (
      (${made} and entry.consumed_height is null ${newest}) union all
      (${made} and entry.consumed_height > ${height} ${newest}) union all
      (select entry.height, entry.ordinal, entry.source, entry.consumed_height, true from utxo_address as entry
        where ${own} and entry.consumed_height <= ${height} order by entry.consumed_height desc limit 1)
    ) as place order by place.changed_height desc, place."isConsumed" limit 1`,
  )
  const [place] = rows
  if (place === undefined) return undefined
  const [utxo] = await TransactionUtxos.atPlaces(store, at, [place])
  return utxo && { utxo, isConsumed: place.isConsumed }
}

/**
 * Returns the chains on which each address has a transaction or a spendable output, in the order of `addresses`.
 *
 * @example
 * ```ts
 * import { Address } from '@firn/codec'
 * import { type Store, Utxos } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const address = Address.parseBytes('P-avax1slt2dhfu6a6qezcn5sgtagumq8ag8we75f84sw')
 * const [chains] = await Utxos.activeChains(store, at, [address])
 * console.log(chains) // for example ['P', 'X']
 * ```
 */
export async function activeChains(
  store: Store,
  at: Snapshot,
  addresses: readonly Uint8Array[],
): Promise<(readonly ChainAlias[])[]> {
  const tops = sql`(values ('P', ${at.P.height}::bigint), ('X', ${at.X.height}::bigint), ('C', ${at.C.height}::bigint))`
  const of = sql`t.chain = top.chain and t.address = owner.address`
  const rows = await fetchRows(
    store,
    sql<{ place: bigint; chain: ChainAlias }>`
    select owner.place, top.chain
    from unnest(${sql.val([...addresses])}::bytea[]) with ordinality as owner (address, place)
    cross join ${tops} as top (chain, height)
    where exists (select 1 from transaction_address as t where ${of} and t.height <= top.height)
      or exists (select 1 from utxo_address as t join ${tops} as made (chain, height) on made.chain = t.source
        where ${of} and t.consumed_height is null and t.height <= made.height)`,
  )
  const found = new Set(rows.map(({ place, chain }) => `${place}${chain}`))
  return addresses.map((_, i) => CHAIN_ALIASES.filter((chain) => found.has(`${i + 1}${chain}`)))
}
