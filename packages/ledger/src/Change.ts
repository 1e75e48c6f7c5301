import type { ChainAlias, Records, TableName } from './Records.ts'

/** One record of a table before and after: created if `before` is absent, removed if `after` is absent. */
export type RecordChange = {
  readonly [Name in TableName]: {
    readonly type: Name
    readonly before: Records[Name] | undefined
    readonly after: Records[Name] | undefined
    /**
     * The causing transaction: the one that created or consumed a UTXO, or a reward's proposal; undefined
     * where the passing of time caused the change.
     */
    readonly txId: Uint8Array | undefined
  }
}[TableName]

/**
 * A transaction of an accepted block and its outcome; an aborted one has no effect except to return a
 * staker's stake. The initial chains and validators of the P-chain, and the initial assets of the X-chain,
 * are transactions of block 0.
 */
export interface TransactionChange {
  readonly type: 'transaction'
  readonly chain: ChainAlias
  readonly txId: Uint8Array
  /** The block that contains it: for a proposal the block before the deciding one. */
  readonly height: bigint
  /** Index in that block. */
  readonly position: number
  /** The name of its type, such as `BaseTx`. */
  readonly name: string
  /** Signed, with the codec version. */
  readonly bytes: Uint8Array
  /** `Accepted` on the X-chain and C-chain. */
  readonly status: 'Committed' | 'Aborted' | 'Accepted'
}

/** An effect of a block. Applying the record changes in reverse order undoes the block. */
export type Change = RecordChange | TransactionChange

/** Returns true for changes of records. */
export function isRecord(change: Change): change is RecordChange {
  return change.type !== 'transaction'
}
