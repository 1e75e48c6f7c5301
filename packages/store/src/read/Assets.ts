import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'

/** An asset of the X-chain. */
export interface Asset {
  readonly assetId: Uint8Array
  readonly name: string
  readonly symbol: string
  /** Digits after the decimal point. */
  readonly denomination: number
}

/** The asset with an id; undefined where the snapshot has none. */
export async function byId(store: Store, at: Snapshot, assetId: Uint8Array): Promise<Asset | undefined> {
  const row = await store.db
    .selectFrom('asset')
    .select(['name', 'symbol', 'denomination'])
    .where('key', '=', assetId)
    .where('since', '<=', at.X.height)
    .executeTakeFirst()
  return row && { assetId, ...row }
}
