import type { EvmChain, EvmStore } from '@firn/evm-store'
import type { EvmChainSource } from './EvmContext.ts'

/** An EVM chain to serve. */
export interface ServedChain {
  readonly store: EvmStore
  /**
   * Base URLs of the chain's nodes, used to request native balances. Without nodes, native balances are
   * unavailable.
   */
  readonly nodes: readonly string[]
}

/** The served EVM chains. A chain is served as soon as an indexer has stored its description. */
export interface ServedChains {
  /** The chains that are ready. The list grows while chains are pending. */
  readonly sources: readonly EvmChainSource[]
  /** EVM chain ids of the chains that are not stored yet. */
  readonly pending: ReadonlySet<bigint>
  close(): void
}

const LOOK_MS = 500

/**
 * Opens the chains that are stored, and polls the database for the others. `complete` adds details to the
 * description of a chain.
 * @throws StoreError
 */
export async function openChains(
  served: readonly ServedChain[],
  complete: (chain: EvmChain) => EvmChain = (chain) => chain,
  about: Pick<EvmChainSource, 'metadata' | 'abis'> = {},
): Promise<ServedChains> {
  const sources: EvmChainSource[] = []
  const pending = new Map(served.map((one) => [one.store.chainId, one]))
  const look = async () => {
    for (const [chainId, { store }] of pending) {
      const chain = await store.chain()
      if (chain !== undefined && pending.delete(chainId))
        sources.push({ ...about, chain: complete(chain), store })
    }
    if (pending.size === 0) clearInterval(timer)
  }
  // A failed poll is ignored, because the next one tries again.
  const timer = setInterval(() => void look().catch(() => undefined), LOOK_MS).unref()
  await look()
  return {
    sources,
    get pending() {
      return new Set(pending.keys())
    },
    close: () => clearInterval(timer),
  }
}
