import type { ChainAlias } from '@firn/codec'
import type { Records, TableName } from './Records.ts'

/**
 * The change of one record of a table. The record is created if `before` is absent and removed if `after` is
 * absent.
 */
export type RecordChange = {
  readonly [Name in TableName]: {
    readonly type: Name
    readonly before: Records[Name] | undefined
    readonly after: Records[Name] | undefined
    /**
     * Id of the transaction that caused the change. For a UTXO it is the transaction that created or consumed it, or
     * the proposal that paid the reward. Undefined if no transaction caused the change, for example if a staker
     * starts because time passed.
     */
    readonly txId: Uint8Array | undefined
  }
}[TableName]

/**
 * A transaction of an accepted block and its outcome. An aborted transaction does not add its staker or does not pay
 * the staker's potential reward, but it returns the stake. The initial chains and validators of the P-chain, and the
 * initial assets of the X-chain, are transactions of block 0.
 */
export interface TransactionChange {
  readonly type: 'transaction'
  readonly chain: ChainAlias
  readonly txId: Uint8Array
  /**
   * Height of the block that contains the transaction. For a proposal this is the block before the deciding
   * block.
   */
  readonly height: bigint
  /** Index of the transaction in its block. */
  readonly position: number
  /** Name of the transaction's type, such as `BaseTx`. */
  readonly name: string
  /** Bytes of the signed transaction, including the codec version. */
  readonly bytes: Uint8Array
  /** Outcome of the transaction; always `Accepted` on the X-chain and C-chain. */
  readonly status: 'Committed' | 'Aborted' | 'Accepted'
  /**
   * True if the transaction imports from a chain that the ledger does not follow. Its changes then do not
   * include the UTXOs that it imports. Their ids, assets and amounts are in `bytes`; their owners are not known.
   */
  readonly hasUnknownInputs?: true
}

/** An effect of a block. To undo the block, revert its record changes, the last one first. */
export type Change = RecordChange | TransactionChange

/**
 * Returns true if the change is a record change.
 * @example
 * ```ts
 * import { Change } from '@firn/ledger'
 *
 * declare const changes: readonly Change.Change[]
 * const records = changes.filter(Change.isRecord).map(({ type, after }) => ({ type, after }))
 * ```
 */
export function isRecord(change: Change): change is RecordChange {
  return change.type !== 'transaction'
}
