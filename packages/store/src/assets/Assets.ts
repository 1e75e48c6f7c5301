import { Hex } from '@firn/codec'
import type { Records } from '@firn/ledger'
import { fetchFirst, fetchRecords } from '@firn/sql'
import { sql } from 'kysely'
import { anyOf } from '../internal/holding.ts'
import * as RecordCodec from '../RecordCodec.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'

/** An asset of the X-chain. */
export interface Asset {
  readonly assetId: Uint8Array
  readonly name: string
  readonly symbol: string
  /** Number of digits after the decimal point. */
  readonly denomination: number
}

/**
 * Returns the asset with the given id, or undefined if the snapshot does not contain it.
 *
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { Assets, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const assetId = Id.parse('FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z') // AVAX on Mainnet
 * const asset = await Assets.byId(store, at, assetId)
 * console.log(asset?.symbol, asset?.denomination)
 * ```
 */
export function byId(store: Store, at: Snapshot, assetId: Uint8Array): Promise<Asset | undefined> {
  return fetchFirst(
    store,
    sql<Asset>`select key as "assetId", name, symbol, denomination from asset
      where key = ${assetId} and since <= ${at.X.height}`,
  )
}

/**
 * Returns assets by their ids. The keys of the result are the ids in hex. No snapshot is needed, because the
 * names of an asset never change.
 *
 * @example
 * ```ts
 * import { Hex, Id } from '@firn/codec'
 * import { Assets, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const assetId = Id.parse('FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z') // AVAX on Mainnet
 * const assets = await Assets.byIds(store, [assetId])
 * console.log(assets.get(Hex.encodeBare(assetId))?.name)
 * ```
 */
export async function byIds(
  store: Store,
  ids: readonly Uint8Array[],
): Promise<ReadonlyMap<string, Records.Asset>> {
  if (ids.length === 0) return new Map()
  const assets = await fetchRecords(
    store,
    RecordCodec.asset,
    sql`select body from asset where key = ${anyOf(ids)}`,
  )
  return new Map(assets.map((asset) => [Hex.encodeBare(asset.assetId), asset]))
}
