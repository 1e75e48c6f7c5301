import type { EvmChain, EvmStore } from '@firn/store/evm'
import type { EvmChainSource, EvmLinks } from './evm/EvmContext.ts'

/** An EVM chain to serve. */
export interface ServedChain {
  readonly store: EvmStore
  /** Its nodes, which are asked for native balances; without them these are unknown. */
  readonly nodes: readonly string[]
  readonly links?: EvmLinks | undefined
}

/** The EVM chains of a service. A chain is served once an indexer has stored its row. */
export interface ServedChains {
  /** Grows while chains are pending. */
  readonly sources: readonly EvmChainSource[]
  /** Ids of the chains that are not stored yet. */
  readonly pending: ReadonlySet<bigint>
  close(): void
}

const LOOK_MS = 500

/**
 * Opens chains whose tables exist; those that are not stored yet are polled until they are. `complete` adds
 * further facts about a chain.
 * @throws StoreError
 */
export async function openChains(
  served: readonly ServedChain[],
  complete: (chain: EvmChain) => EvmChain = (chain) => chain,
): Promise<ServedChains> {
  const sources: EvmChainSource[] = []
  const pending = new Map(served.map((one) => [one.store.chainId, one]))
  const look = async () => {
    for (const [chainId, { store, links }] of pending) {
      const chain = await store.chain()
      if (chain !== undefined && pending.delete(chainId))
        sources.push({ chain: complete(chain), store, links })
    }
    if (pending.size === 0) clearInterval(timer)
  }
  // While the database is unavailable there is nothing to find.
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
