import type { ChainAlias } from '@firn/codec'
import type { Snapshot } from '@firn/store'
import type { DataContext } from '../../primary/network/Context.ts'
import type { AssetDirectory } from '../../primary/shapes/AssetDirectory.ts'
import type { Filter, Filters } from '../common/Filters.ts'
import type { Decided } from './decided.ts'
import type { SourceEvent } from './SourceEvent.ts'

/** Blocks after the height `after` through `until`, and the transactions that they decided. */
export interface DecidedBlocks {
  readonly after: bigint
  readonly until: bigint
  readonly decided: readonly Decided[]
}

/** Blocks of a chain of the Primary Network. */
export interface ChainBlocks extends DecidedBlocks {
  readonly context: DataContext
  readonly directory: AssetDirectory
  readonly chain: ChainAlias
  /** A snapshot that contains all blocks. */
  readonly at: Snapshot
}

/** The webhooks of one kind on a chain of the Primary Network. */
export interface BlockWatch {
  readonly filters: Pick<Filters<Filter>, 'size' | 'lowest'>
  /** Returns the events that the webhooks match, in the order of the blocks. */
  events(blocks: ChainBlocks): Promise<readonly SourceEvent[]>
}
