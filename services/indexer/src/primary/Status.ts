import type { ChainAlias } from '@firn/codec'
import type { SourceProgress } from './Source.ts'

/** Position of one chain in the database and in the source. */
export interface ChainStatus {
  /** Height of the last block in the database. */
  readonly height: bigint
  /** Height of the last block that the source reported; undefined until the source answers. */
  readonly tip: bigint | undefined
  /** Time of the last block in the database, in Unix seconds. */
  readonly time: bigint
}

/** Status of an indexer. */
export interface IndexerStatus {
  /**
   * Phase of the indexer. `vertices` means that the X-chain's vertices from before its block 1 are being applied, beside
   * the blocks of the other chains. `standby` means that another process writes to the database, and that this process
   * takes over when the other one stops.
   */
  readonly phase: 'starting' | 'standby' | 'vertices' | 'behind' | 'tip' | 'stopped'
  /** Status of the X-chain's vertices before its block 1; undefined unless they are being applied. */
  readonly vertices: VertexStatus | undefined
  readonly chains: Readonly<Record<ChainAlias, ChainStatus>> | undefined
  /** Average number of blocks indexed per second over the last 15 seconds. */
  readonly blocksPerSecond: number
  /** Estimated time until the tip is reached, in seconds; undefined if unknown. */
  readonly secondsLeft: number | undefined
  /** Progress of the source, if it fetches many blocks before it returns the first one. */
  readonly source?: SourceProgress | undefined
  /** Messages about current problems; empty when healthy. */
  readonly problems: readonly string[]
  /** Nodes that are used last because they returned wrong data, each with the reason. */
  readonly warnings: readonly string[]
}

/** Number of applied vertices, and of their transactions that wait for outputs that they spend. */
export interface VertexStatus {
  readonly applied: number
  readonly waiting: number
}
