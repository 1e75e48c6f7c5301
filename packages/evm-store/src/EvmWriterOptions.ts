import type { Lease } from '@firn/sql'
import type { LogSelection } from './LogSelection.ts'

/** Options of `EvmWriter.open`. */
export interface EvmWriterOptions {
  /**
   * Approximate number of balances, and of active addresses, to keep in memory; 100,000 by default. Other entries are looked up in the database.
   */
  readonly remembered?: number | undefined
  /**
   * The schema's lease. Without a lease, all other writers are fenced off, including the holder of the lease.
   */
  readonly lease?: Lease | undefined
  /**
   * Whether the logs of new blocks are stored; true by default. If false, logs that are stored already are no longer
   * served, because later blocks lack theirs.
   */
  readonly logs?: boolean | undefined
  /** The logs that the blocks of a chain of which only events are stored have; none by default. */
  readonly selection?: LogSelection | undefined
  /**
   * Whether an empty chain is filled without the indexes that only requests need, until `EvmWriter.buildIndexes`
   * is called; false by default. Until then, `EvmStore.snapshot` throws `STORE_UNINDEXED`.
   */
  readonly defersIndexes?: boolean | undefined
}
