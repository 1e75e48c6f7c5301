import type { ChainAlias } from '@firn/codec'
import { FetchedBlocks, FetchedVertices, type Store } from '@firn/store'
import type { BlockStore, VertexStore } from '@firn/sync'

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

/** Returns the X-chain's vertices that were fetched from peers. */
export function createVertexStore(store: Store): VertexStore {
  return {
    put: (vertices) => FetchedVertices.put(store, vertices),
    get: (ids) => FetchedVertices.get(store, ids),
    missing: (limit) => FetchedVertices.missing(store, limit),
    page: (after, limit) => FetchedVertices.page(store, after, limit),
    count: () => FetchedVertices.count(store),
  }
}
