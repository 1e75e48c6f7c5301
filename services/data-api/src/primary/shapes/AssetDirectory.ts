import { Hex, Id } from '@firn/codec'
import { Assets, type Store } from '@firn/store'
import { LRUCache } from 'lru-cache'
import type { NamedAsset } from './AssetAmount.ts'

/** Reads the names of assets. Names never change. */
export interface AssetDirectory {
  /**
   * Returns the names of the given assets, by asset id in hex. If no transaction created an asset, the asset
   * id serves as its name.
   */
  of(ids: Iterable<Uint8Array>): Promise<ReadonlyMap<string, NamedAsset>>
}

const MAX_ASSETS = 100_000
/** Index of the NFT feature extension in asset definitions. */
const NFT_INDEX = 1

/** Creates a reader of asset names that caches recently used names. */
export function createAssetDirectory(store: Store): AssetDirectory {
  const kept = new LRUCache<string, NamedAsset>({ max: MAX_ASSETS })
  return {
    of: async (ids) => {
      const requested = new Map(Array.from(ids, (id) => [Hex.encodeBare(id), id]))
      const missing = [...requested].filter(([key]) => !kept.has(key)).map(([, id]) => id)
      for (const [key, asset] of await Assets.byIds(store, missing)) {
        kept.set(key, {
          ...asset,
          assetId: Id.format(asset.assetId),
          isNft: asset.fxIndices.includes(NFT_INDEX),
        })
      }
      return new Map([...requested].map(([key, id]) => [key, kept.get(key) ?? unnamed(id)]))
    },
  }
}

function unnamed(id: Uint8Array): NamedAsset {
  const assetId = Id.format(id)
  return { assetId, name: assetId, symbol: '', denomination: 0, isNft: false }
}
