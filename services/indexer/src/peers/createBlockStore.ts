import type { ChainAlias } from '@firn/codec'
import { FetchedBlocks, type Store } from '@firn/store'
import type { BlockStore } from '@firn/sync'

/** Returns the blocks of a chain that were fetched from peers and wait in the database to be applied. */
export function createBlockStore(store: Store, chain: ChainAlias): BlockStore {
  return {
    intervals: () => FetchedBlocks.intervals(store, chain),
    put: (blocks) => FetchedBlocks.put(store, chain, blocks),
    get: (height) => FetchedBlocks.byHeight(store, chain, height),
    getById: (id) => FetchedBlocks.byId(store, chain, id),
    remove: (interval) => FetchedBlocks.remove(store, chain, interval),
  }
}
