import type { ChainAlias, Records, TableName } from './Records.ts'

/** One record of a table before and after: without `before` it is new, without `after` it is gone. */
export type RecordChange = {
  readonly [Name in TableName]: {
    readonly type: Name
    readonly before: Records[Name] | undefined
    readonly after: Records[Name] | undefined
    /** The transaction that did it: the one that made or consumed a UTXO, a reward's proposal; none where time did it. */
    readonly txId: Uint8Array | undefined
  }
}[TableName]

/**
 * A transaction of an accepted block, with its fate; an aborted one did nothing but return what a staker had staked. The chains
 * and validators that the P-chain begins with, and the assets of the X-chain, are transactions of their block 0.
 */
export interface TransactionChange {
  readonly type: 'transaction'
  readonly chain: ChainAlias
  readonly txId: Uint8Array
  /** The block that contains it: of a proposal the one before that which decides. */
  readonly height: bigint
  /** Its place in that block. */
  readonly position: number
  /** The name of its type, like `BaseTx`. */
  readonly name: string
  /** Signed, behind the codec version. */
  readonly bytes: Uint8Array
  /** `Accepted` on the X- and the C-chain. */
  readonly status: 'Committed' | 'Aborted' | 'Accepted'
}

/** What a block does, one thing after the other. Record changes in reverse order undo it. */
export type Change = RecordChange | TransactionChange

/** True for the changes of a table's records. */
export function isRecord(change: Change): change is RecordChange {
  return change.type !== 'transaction'
}
