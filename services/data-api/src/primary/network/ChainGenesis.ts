import { Hex } from '@firn/codec'
import { type Snapshot, type Store, Transactions } from '@firn/store'
import { PlatformTx } from '@firn/txs'
import { LRUCache } from 'lru-cache'

/** Reads the genesis bytes of blockchains. Genesis bytes never change. */
export interface ChainGeneses {
  /** Returns the genesis bytes, or undefined if no transaction created the blockchain. */
  of(at: Snapshot, blockchainId: Uint8Array): Promise<Uint8Array | undefined>
}

const MAX_BYTES = 64 * 1024 * 1024

/** Creates a reader of genesis bytes that caches recent results. */
export function createChainGeneses(store: Store): ChainGeneses {
  const kept = new LRUCache<string, Uint8Array>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ length }) => length + 1,
  })
  return {
    of: async (at, blockchainId) => {
      const key = Hex.encodeBare(blockchainId)
      const known = kept.get(key)
      if (known !== undefined) return known
      const found = await Transactions.byId(store, at, 'P', blockchainId)
      if (found === undefined) return undefined
      const { unsignedTx } = PlatformTx.decode(found.bytes)
      if (unsignedTx.type !== 'CreateChainTx') return undefined
      const genesis = unsignedTx.genesisData.slice()
      kept.set(key, genesis)
      return genesis
    },
  }
}
