import type { EvmStore } from '@firn/evm-store'
import { createEvmIndexer } from '../evm/EvmIndexer.ts'
import type { EvmChainOptions, EvmIndexerOptions } from '../evm/EvmIndexerOptions.ts'

/** Description of the chain that the tests index. For tests only. */
export const CHAIN: EvmChainOptions['chain'] = {
  name: 'Test',
  network: 'local',
  token: { name: 'Coin', symbol: 'COIN', decimals: 18 },
}

/** Indexes a chain up to its head and stops. For tests only. */
export async function indexOnce(
  store: EvmStore,
  urls: readonly string[],
  options: Partial<EvmIndexerOptions> & Partial<EvmChainOptions> = {},
): Promise<void> {
  const { withTraces, firstHeight, events, isEventsOnly, buildsIndexesLater, ...rest } = options
  const chain: EvmChainOptions = {
    store,
    chain: CHAIN,
    upstreams: urls.map((url) => ({ url, timeoutMs: 5_000 })),
    events,
    isEventsOnly,
    buildsIndexesLater,
    ...(withTraces === undefined ? {} : { withTraces }),
    ...(firstHeight === undefined ? {} : { firstHeight }),
  }
  const indexer = createEvmIndexer({ chains: [chain], once: true, pollMs: 50, longestPauseMs: 300, ...rest })
  await indexer.run(new AbortController().signal)
}
