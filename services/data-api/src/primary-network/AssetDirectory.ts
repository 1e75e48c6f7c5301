import { Hex, Id } from '@firn/codec'
import { AssetNames, type Store } from '@firn/store'
import { LRUCache } from 'lru-cache'
import type { NamedAsset } from './shapes/AssetAmount.ts'

/** What assets are called; that never changes. */
export interface AssetDirectory {
  /** Names of all that is asked for, by the id in hex; an asset that no transaction created goes by its id. */
  of(ids: Iterable<Uint8Array>): Promise<ReadonlyMap<string, NamedAsset>>
}

const MAX_ASSETS = 100_000
/** The feature extension of tokens that can't be exchanged for each other. */
const NFT_INDEX = 1

/** Reads names from the store, and keeps the last ones. */
export function createAssetDirectory(store: Store): AssetDirectory {
  const kept = new LRUCache<string, NamedAsset>({ max: MAX_ASSETS })
  return {
    of: async (ids) => {
      const wanted = new Map(Array.from(ids, (id) => [Hex.encodeBare(id), id]))
      const missing = [...wanted].filter(([key]) => !kept.has(key)).map(([, id]) => id)
      for (const [key, asset] of await AssetNames.byIds(store, missing)) {
        kept.set(key, {
          ...asset,
          assetId: Id.format(asset.assetId),
          isNft: asset.fxIndices.includes(NFT_INDEX),
        })
      }
      return new Map([...wanted].map(([key, id]) => [key, kept.get(key) ?? unnamed(id)]))
    },
  }
}

function unnamed(id: Uint8Array): NamedAsset {
  const assetId = Id.format(id)
  return { assetId, name: assetId, symbol: '', denomination: 0, isNft: false }
}
