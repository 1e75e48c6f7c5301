import { bytea, byteas, int4, int8, nullable, table, uncompressed } from '@firn/sql/table'

/** Declares the table `waiting_transaction`. */
export const WAITING = table({
  columns: {
    /** Position that the transaction will have at height 0 of the X-chain. */
    position: int4,
    /** Ordinal of the first UTXO that the transaction will create. */
    ordinal: int4,
    id: bytea,
    bytes: uncompressed(bytea),
  },
  primaryKey: ['position'],
})

/**
 * Tables for the vertices of the X-chain, which came before its first block on some networks. What their transactions
 * changed is at height 0 of the X-chain in the other tables, after what the genesis created.
 */
export const VERTEX_TABLES = {
  /** Vertices in the order in which they were applied: parents before children, the stop vertex last. */
  vertex: table({
    columns: {
      /** Index in the order, from 0. */
      position: int4,
      id: bytea,
      /** Height that the vertex declares; other vertices can have the same height. */
      height: int8,
      parent_ids: byteas,
      bytes: uncompressed(bytea),
      /** Time at which the node behind the source accepted it, in nanoseconds since the Unix epoch. */
      accepted_at: nullable(int8),
    },
    primaryKey: ['position'],
    indexes: ['(id)', '(height, position)'],
  }),
  /** The transactions of each vertex. A transaction can be in several vertices. */
  vertex_transaction: table({
    columns: {
      /** Position of the vertex; `ordinal` is the index of the transaction in the vertex. */
      vertex: int4,
      ordinal: int4,
      /** Position of the transaction at height 0 of the X-chain. */
      position: int4,
    },
    primaryKey: ['vertex', 'ordinal'],
    indexes: ['(position)'],
  }),
}
