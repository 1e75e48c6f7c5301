import type { Genesis, Networks } from '@firn/genesis'
import type { Store } from '@firn/store'
import type { Registry } from 'prom-client'
import type { Clock } from './Clock.ts'
import { IndexerError } from './IndexerError.ts'
import type { Logger } from './Logger.ts'
import type { Chain, Source } from './Source.ts'

/** What {@link createIndexer} needs. */
export interface IndexerOptions {
  /** Migrated, and closed by its owner. */
  readonly store: Store
  /** Closed by its owner. */
  readonly source: Source
  readonly genesis: Genesis.Genesis
  readonly constants: Networks.Constants
  /** End at the tip instead of waiting for more. */
  readonly once?: boolean
  /** How often the tip is asked for when there is nothing to do; 500 ms if not given. */
  readonly pollMs?: number
  /** Most blocks written in one transaction; 512 if not given. */
  readonly batchBlocks?: number
  readonly clock?: Clock
  /** Uniform in [0, 1), for the jitter of pauses. */
  readonly random?: () => number
  readonly log?: Logger
}

/** How one chain stands. */
export interface ChainStatus {
  /** Of the last block in the database. */
  readonly height: bigint
  /** Of the last block that the source is known to have; undefined before it told. */
  readonly tip: bigint | undefined
  /** Of the last block in the database, Unix seconds. */
  readonly time: bigint
}

/** How indexing stands. */
export interface IndexerStatus {
  readonly phase: 'starting' | 'behind' | 'tip' | 'stopped'
  readonly chains: Readonly<Record<Chain, ChainStatus>> | undefined
  /** Blocks per second lately. */
  readonly blocksPerSecond: number
  /** Until the tip at this rate; undefined when that can't be said. */
  readonly secondsLeft: number | undefined
  /** What is wrong now, in words; none: healthy. */
  readonly problems: readonly string[]
}

/** Follows a source into a store. */
export interface Indexer {
  /**
   * Indexes until the signal is aborted or, with `once`, the tip is reached; what is being written is finished first.
   * @throws IndexerError `INDEXER_FENCED`, `INDEXER_ARCHIVE`, `INDEXER_NO_RAW_BLOCKS`; StoreError of a database that is not this network's
   */
  run(signal: AbortSignal): Promise<void>
  status(): IndexerStatus
  readonly metrics: Registry
}

/** Returns an indexer that does nothing before `run`. */
export function createIndexer(_options: IndexerOptions): Indexer {
  throw new IndexerError('INDEXER_CONFIGURATION', 'expected an indexer that is built')
}
