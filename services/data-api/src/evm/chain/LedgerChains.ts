import { Hex } from '@firn/codec'
import type { EvmChain } from '@firn/evm-store'
import { type Genesis, GenesisData, Networks } from '@firn/genesis'
import type { Store } from '@firn/store'
import { LRUCache } from 'lru-cache'
import { createChainGeneses } from '../../primary/network/ChainGenesis.ts'

/** EVM chain ids of the blockchains in the Primary Network's ledger. */
export interface LedgerChains {
  /**
   * Looks up a blockchain by its 32-byte id, so that {@link LedgerChains.get} can return its EVM chain id.
   */
  find(blockchainId: Uint8Array): Promise<void>
  /**
   * Returns the EVM chain id from the genesis of a blockchain. Returns undefined if the blockchain was not
   * looked up or has no EVM chain id.
   */
  get(blockchainId: Uint8Array): bigint | undefined
}

const MAX_KNOWN = 10_000

/**
 * Creates a cache of the EVM chain ids of a ledger's blockchains. An id is read on first use and never refreshed,
 * because it cannot change.
 */
export function createLedgerChains(store: Store): LedgerChains {
  const geneses = createChainGeneses(store)
  const known = new LRUCache<string, bigint>({ max: MAX_KNOWN })
  return {
    find: async (blockchainId) => {
      const key = Hex.encodeBare(blockchainId)
      if (known.has(key)) return
      const genesis = await geneses.of(await store.snapshot(), blockchainId)
      const chainId = genesis && GenesisData.evmChainId(genesis)
      if (chainId !== undefined) known.set(key, chainId)
    },
    get: (blockchainId) => known.get(Hex.encodeBare(blockchainId)),
  }
}

/** Returns the chain; if it is the C-chain, missing blockchain and subnet ids are added. */
export function withPrimaryIds(chain: EvmChain, { cChain }: Genesis.Genesis): EvmChain {
  const isCChain = GenesisData.evmChainId(cChain.genesisData) === chain.chainId
  if (chain.blockchainId !== undefined || !isCChain) return chain
  return { ...chain, blockchainId: cChain.blockchainId, subnetId: Networks.PRIMARY_NETWORK_ID }
}
