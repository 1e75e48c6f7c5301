import { EvmStore } from '@firn/store/evm'
import { openEvm, TestPostgres } from '@firn/store/testing'
import { createEvmIndexer, type EvmChainOptions, type EvmIndexerOptions } from '../evm/EvmIndexer.ts'

/** What every tested chain is called. For tests only. */
export const CHAIN: EvmChainOptions['chain'] = {
  name: 'Test',
  network: 'local',
  token: { name: 'Coin', symbol: 'COIN', decimals: 18 },
}

let schemas = 0

/** A store of its own, on PostgreSQL where there is one, which is sooner there than PGlite; closed by the caller. For tests only. */
export async function openPlain(chainId: bigint): Promise<EvmStore> {
  if (TestPostgres.missing() !== undefined) return openEvm({ chainId })
  schemas += 1
  const schema = `evm_test_${process.pid}_${schemas}`
  const store = await EvmStore.open({ url: await TestPostgres.url(), schema, chainId, connections: 3 })
  await store.migrate()
  return store
}

/** Indexes a chain to its head and ends. For tests only. */
export async function indexOnce(
  store: EvmStore,
  urls: readonly string[],
  options: Partial<EvmIndexerOptions> & Partial<EvmChainOptions> = {},
): Promise<void> {
  const { withTraces, firstHeight, ...rest } = options
  const chain: EvmChainOptions = {
    store,
    chain: CHAIN,
    upstreams: urls.map((url) => ({ url, timeoutMs: 5_000 })),
    ...(withTraces === undefined ? {} : { withTraces }),
    ...(firstHeight === undefined ? {} : { firstHeight }),
  }
  const indexer = createEvmIndexer({ chains: [chain], once: true, pollMs: 50, longestPauseMs: 300, ...rest })
  await indexer.run(AbortSignal.timeout(60_000))
}
