import type { PlatformUtxo } from '@firn/txs'
import type { Records, TableName } from './Records.ts'

/** One record of a table before and after: without `before` it is new, without `after` it is gone. */
export type RecordChange = {
  readonly [Name in TableName]: {
    readonly type: Name
    readonly before: Records[Name] | undefined
    readonly after: Records[Name] | undefined
    /** The transaction that did it: the one that made or consumed a UTXO, a reward's proposal; none where time did it. */
    readonly txID: Uint8Array | undefined
  }
}[TableName]

/** A transaction of an accepted block, with its fate; an aborted one did nothing but return what a staker had staked. */
export interface TransactionChange {
  readonly type: 'transaction'
  readonly txID: Uint8Array
  readonly status: 'Committed' | 'Aborted'
}

/** Moves into and out of the memory that the P-chain shares with another chain. */
export interface SharedMemoryChange {
  readonly type: 'sharedMemory'
  /** The chain at the other end. */
  readonly peerChainID: Uint8Array
  /** `put`: exported to it; `remove`: imported from it. */
  readonly operation: 'put' | 'remove'
  /** The input id, 32 bytes. */
  readonly utxoID: Uint8Array
  /** What is exported. */
  readonly utxo: PlatformUtxo.PlatformUtxo | undefined
  readonly txID: Uint8Array
}

/** What a block does, one thing after the other. Record changes in reverse order undo it. */
export type Change = RecordChange | TransactionChange | SharedMemoryChange

/** True for the changes of a table's records. */
export function isRecord(change: Change): change is RecordChange {
  return change.type !== 'transaction' && change.type !== 'sharedMemory'
}
