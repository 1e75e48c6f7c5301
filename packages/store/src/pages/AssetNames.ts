import { Hex } from '@firn/codec'
import type { Records } from '@firn/ledger'
import { sql } from 'kysely'
import * as RecordCodec from '../RecordCodec.ts'
import type { Store } from '../Store.ts'

/** The assets with ids, by the id in hex. What an asset is called never changes. */
export async function byIds(
  store: Store,
  ids: readonly Uint8Array[],
): Promise<ReadonlyMap<string, Records.Asset>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ body: Uint8Array }>`
    select body from ${sql.table('asset')} where key = any(${sql.val([...ids])}::bytea[])`.execute(store.db)
  const assets = rows.map(({ body }) => RecordCodec.asset.decode(body))
  return new Map(assets.map((asset) => [Hex.encodeBare(asset.assetId), asset]))
}
