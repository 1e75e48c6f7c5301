import type { EventTables, EvmChain, EvmStore, Retention } from '@firn/evm-store'
import { type Clock, type Logger, silentLogger, systemClock } from '@firn/runtime'
import type { LeaseOptions } from '@firn/sql'
import type { Registry } from 'prom-client'
import type { FollowOptions } from './Following.ts'
import type { JsonRpcOptions } from './upstream/JsonRpc.ts'
import { TRACE_TIMEOUT_MS } from './upstream/Requests.ts'

/** Options of one EVM chain to index. */
export interface EvmChainOptions {
  /**
   * Store of the chain. `run` migrates it, and the caller closes it. The nodes must serve the store's chain
   * id.
   */
  readonly store: EvmStore
  /** Description of the chain. It takes precedence over the stored description. */
  readonly chain: Omit<EvmChain, 'chainId' | 'firstHeight' | 'hasTraces' | 'genesisHash' | 'isEventsOnly'>
  /**
   * Nodes of the chain, in order of preference. The indexer subscribes to new blocks of nodes with a `ws:`
   * URL.
   */
  readonly upstreams: readonly JsonRpcOptions[]
  /** Height of the first block to store if the database is empty; default 0. */
  readonly firstHeight?: bigint
  /**
   * Whether to store blocks with traces if the database is empty. By default, traces are stored if the nodes
   * serve them.
   */
  readonly withTraces?: boolean
  /** Whether to store the logs of new blocks; default true. */
  readonly withLogs?: boolean | undefined
  /** Whether to compare token balances with the contracts' answers; true by default. */
  readonly checksBalances?: boolean | undefined
  /** Events to decode into separate tables; none by default. They require stored logs. */
  readonly events?: readonly EventTables.EventSource[] | undefined
  /**
   * Whether only headers and the logs of `events` are fetched and stored; false by default. Such a chain has no
   * transactions, transfers, contracts, balances and metrics.
   */
  readonly isEventsOnly?: boolean | undefined
  /**
   * Whether an empty database is filled without the indexes that only requests need; false by default. They are built
   * when the stored blocks are near the head, or at the next start without this option. Until then, the chain is not
   * served.
   */
  readonly buildsIndexesLater?: boolean | undefined
  /** For each kind of data, the number of seconds for which it is kept; forever by default. */
  readonly keep?: Retention | undefined
}

/** Options of `createEvmIndexer`. */
export interface EvmIndexerOptions {
  readonly chains: readonly EvmChainOptions[]
  /** Whether to stop at the heads instead of waiting for more blocks. */
  readonly once?: boolean
  /**
   * Interval at which a node without subscriptions is polled for its newest block, in milliseconds; default
   * 250.
   */
  readonly pollMs?: number | undefined
  /** Maximum number of blocks written in one database transaction; default 512. */
  readonly batchBlocks?: number
  /** Maximum number of blocks that a reorg may remove; default 64. A deeper reorg is an error. */
  readonly maxReorgDepth?: number
  /** Memory limit in bytes for blocks of one chain that are fetched ahead of the writer; default 12 MiB. */
  readonly windowBytes?: number
  /** Maximum number of concurrent requests to a node; default 8. */
  readonly concurrency?: number
  /** Maximum number of calls in one request; default 64. */
  readonly maxBatch?: number
  /** Maximum pause after consecutive failures, in milliseconds; default 5,000. */
  readonly longestPauseMs?: number
  /**
   * Maximum time in milliseconds that a node may take for the traces of a block; default 240,000. The time limit starts
   * at 15,000 and grows up to it while a node is too slow. A block whose traces no node returns in time is stored without
   * its internal calls, which are added later.
   */
  readonly traceTimeoutMs?: number | undefined
  /** Options of the database leases, one for each chain. By default, the owner's name is unique to the process. */
  readonly lease?: LeaseOptions
  readonly clock?: Clock
  /** Returns random numbers, uniform in [0, 1), for the jitter of pauses. */
  readonly random?: () => number
  readonly log?: Logger
  /** Records the fetching and the storing of blocks; by default nothing. */
  readonly tracer?: FollowOptions['tracer']
  /** Registry of the metrics; by default a new one. */
  readonly registry?: Registry
}

/** Options of the indexer with their defaults. */
export type Settings = ReturnType<typeof withDefaults>

/** Returns the options of the indexer with their defaults. */
export function withDefaults(options: EvmIndexerOptions) {
  const { clock = systemClock, random = Math.random, log = silentLogger } = options
  return {
    once: options.once ?? false,
    pollMs: options.pollMs ?? 250,
    batchBlocks: options.batchBlocks ?? 512,
    maxReorgDepth: options.maxReorgDepth ?? 64,
    windowBytes: options.windowBytes ?? 12 << 20,
    concurrency: options.concurrency ?? 8,
    maxBatch: options.maxBatch ?? 64,
    longestPauseMs: options.longestPauseMs ?? 5_000,
    traceTimeoutMs: options.traceTimeoutMs ?? TRACE_TIMEOUT_MS,
    lease: options.lease,
    timing: { clock, random },
    log,
    tracer: options.tracer,
  }
}
