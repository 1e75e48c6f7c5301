import type { Reads } from '@firn/ledger'
import type { Accepted, AcceptedVertices } from '@firn/store'

/** Receives batches and writes them one at a time. */
export interface Sink {
  commit(batch: readonly (Accepted | AcceptedVertices)[]): Promise<void>
  /** Reads records into a windowed state; undefined if the state is in memory as a whole. */
  readonly fetch?: (reads: readonly Reads.Read[]) => Promise<void>
}
