import { Hex } from '@firn/codec'
import { type Genesis, GenesisData, Networks } from '@firn/genesis'
import type { Store } from '@firn/store'
import type { EvmChain } from '@firn/store/evm'
import { LRUCache } from 'lru-cache'
import { createChainGeneses } from '../primary-network/ChainGenesis.ts'

/** The EVM chain ids of the blockchains in the Primary Network's ledger. */
export interface LedgerChains {
  /** Looks up a blockchain (32 bytes) by its id, so that {@link LedgerChains.get} knows it. */
  find(blockchainId: Uint8Array): Promise<void>
  /**
   * Returns the EVM chain id of a blockchain that was looked up, from its genesis; undefined for any other.
   */
  get(blockchainId: Uint8Array): bigint | undefined
}

const MAX_KNOWN = 10_000

/** Returns the EVM chain ids of a ledger's blockchains, which are read on first use and never change. */
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

/** Returns a chain with its ids in the Primary Network, if it is the C-chain and they are not configured. */
export function withPrimaryIds(chain: EvmChain, { cChain }: Genesis.Genesis): EvmChain {
  const isCChain = GenesisData.evmChainId(cChain.genesisData) === chain.chainId
  if (chain.blockchainId !== undefined || !isCChain) return chain
  return { ...chain, blockchainId: cChain.blockchainId, subnetId: Networks.PRIMARY_NETWORK_ID }
}
