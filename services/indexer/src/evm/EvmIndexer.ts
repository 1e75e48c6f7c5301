import type { Registry } from 'prom-client'
import { openChain } from './Chain.ts'
import type { ContractReader } from './contracts/ContractReader.ts'
import type { EvmChainStatus } from './EvmChainStatus.ts'
import { type EvmIndexerOptions, withDefaults } from './EvmIndexerOptions.ts'
import { runChain } from './runChain.ts'
import * as EvmMetrics from './upstream/EvmMetrics.ts'

/** Indexes EVM chains. Each chain is stored in its own database schema. */
export interface EvmIndexer {
  /**
   * Indexes until the signal is aborted or, with `once`, the heads are reached. Finishes the current batches
   * before it returns. Stands by while another process writes a chain. While the nodes have a different chain than the
   * stored one, the chain is not served, and its status describes the remedy. Any other error ends only the chain's
   * current attempt: it is logged, its status describes it, and the chain is tried again with a back-off. With `once`,
   * both are errors, which are thrown after all chains have ended.
   * @throws IndexerError `INDEXER_CHAIN`, `INDEXER_TRACES`, `INDEXER_RESET`, `INDEXER_REORGANISATION`;
   * StoreError; only with `once`
   */
  run(signal: AbortSignal): Promise<void>
  status(): readonly EvmChainStatus[]
  /**
   * Returns the contract reader of a chain, for use by other modules. Returns undefined if the chain is not
   * indexed.
   */
  contracts(chainId: bigint): ContractReader | undefined
  readonly metrics: Registry
}

/** Creates an indexer. It starts when `run` is called. @throws IndexerError `INDEXER_CONFIGURATION` */
export function createEvmIndexer(options: EvmIndexerOptions): EvmIndexer {
  const metrics = EvmMetrics.create(options.registry)
  const settings = withDefaults(options)
  const chains = options.chains.map((chain) => openChain(settings, chain, metrics))
  return {
    async run(signal) {
      const ended = await Promise.allSettled(chains.map((chain) => runChain(chain, signal)))
      for (const one of ended) if (one.status === 'rejected') throw one.reason
    },
    status: () => chains.map(({ standing }) => standing.status()),
    contracts: (chainId) => chains.find((chain) => chain.chainId === chainId)?.contracts,
    metrics: metrics.registry,
  }
}
