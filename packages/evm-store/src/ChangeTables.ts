import { bytea, int4, int8, nullable, oneOf } from '@firn/sql/table'
import { table } from './internal/evmTable.ts'

/** The kinds of changes: a block was added, a block was removed by a reorg, or traces were added to a block. */
const CHANGE_KINDS = ['added', 'undone', 'traced'] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

/** The tables of what is added to blocks after they were stored. */
export const GAP_TABLES = {
  /**
   * The blocks of a chain with traces that are stored without them, because no node returned them in time. Only the
   * outermost calls of their transactions are known. A row is removed once the traces are stored.
   */
  trace_gap: table({
    columns: {
      height: int8,
      hash: bytea,
      /** Number of times that the traces were requested in vain since the block was stored. */
      attempts: int4,
      /** Time from which they are requested again, in Unix seconds. */
      due: int8,
      /** Sequence number of the change that added the block; null if an earlier version stored it. */
      sequence: nullable(int8),
    },
    primaryKey: ['height'],
  }),
  /**
   * Heights from which on the chain digests are to be computed again, because traces were added to an earlier block. Up to
   * the next such height, or to the newest block, they follow from the digest in `before`.
   */
  stale_digest: table({
    columns: {
      height: int8,
      /** The chain digest that the previous block had when the chain digest of the block was computed. */
      before: bytea,
    },
    primaryKey: ['height'],
  }),
}

/** The table of changes. */
export const CHANGE_TABLES = {
  /** The change feed: added and undone blocks, and traces that were added later to a block, in order. */
  change: table({
    columns: {
      sequence: int8,
      kind: oneOf(...CHANGE_KINDS),
      height: int8,
      hash: bytea,
      parent_hash: bytea,
      time: int8,
      /**
       * For `traced`, the sequence number of the change that added the block, or null if an earlier version stored the block;
       * null for other kinds.
       */
      added: nullable(int8),
    },
    primaryKey: ['sequence'],
  }),
}
