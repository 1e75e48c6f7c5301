/**
 * A block of an EVM chain with the results of its execution: transactions with their receipts and logs, and calls if
 * the node provides traces. Hashes and addresses are bytes, and amounts are in the smallest unit (wei).
 */
export interface Block {
  readonly height: bigint
  /**
   * Block hash as reported by the node. It is never computed here, because network upgrades add header
   * fields.
   */
  readonly hash: Uint8Array
  readonly parentHash: Uint8Array
  /** Time of the block in Unix seconds. */
  readonly timestamp: bigint
  /** Time of the block in Unix milliseconds; undefined before Granite. */
  readonly timestampMilliseconds: bigint | undefined
  /** Minimum delay exponent of the header; undefined before Granite. */
  readonly minDelayExcess: bigint | undefined
  readonly miner: Uint8Array
  /**
   * Base fee; undefined before dynamic fees. On chains that execute asynchronously it is only an upper bound;
   * the receipts contain the price paid.
   */
  readonly baseFee: bigint | undefined
  readonly gasLimit: bigint
  /**
   * Gas used according to the header. On chains that execute asynchronously, this is the reserved gas
   * instead.
   */
  readonly gasUsed: bigint
  readonly blockGasCost: bigint | undefined
  /**
   * Height of the newest block whose execution results the header contains; undefined if the header contains the
   * results of this block itself.
   */
  readonly settledHeight: bigint | undefined
  readonly transactions: readonly Transaction[]
  /** The outermost call of each transaction, in order; undefined if the node does not trace. */
  readonly traces: readonly CallFrame[] | undefined
  /**
   * The selected logs of a block that was read without its transactions; absent if it was read with them. Such a block
   * has no `transactions` and no `traces`.
   */
  readonly selected?: SelectedLogs
}

/** Selected logs of a block, by transaction. */
export interface SelectedLogs {
  /** Number of transactions in the block. */
  readonly count: number
  /** The transactions that emitted selected logs, in order. */
  readonly transactions: readonly Pick<Transaction, 'hash' | 'index' | 'logs'>[]
}

/** A transaction with its receipt. */
export interface Transaction {
  readonly hash: Uint8Array
  /** Index of the transaction in the block. */
  readonly index: number
  /** Type byte of the transaction envelope; 0 for a legacy transaction. */
  readonly type: number
  readonly from: Uint8Array
  /** Recipient; undefined if the transaction creates a contract. */
  readonly to: Uint8Array | undefined
  readonly nonce: bigint
  readonly value: bigint
  readonly input: Uint8Array
  readonly gasLimit: bigint
  /** Whether the execution succeeded. */
  readonly succeeded: boolean
  readonly gasUsed: bigint
  /** Price paid per unit of gas, in wei. */
  readonly gasPrice: bigint
  /** Maximum total price per unit of gas; undefined if the transaction type has none. */
  readonly maxFeePerGas: bigint | undefined
  readonly maxPriorityFeePerGas: bigint | undefined
  /** Address of the contract that the transaction itself creates; undefined if it creates none. */
  readonly contractAddress: Uint8Array | undefined
  readonly logs: readonly Log[]
}

/** A log of a receipt. */
export interface Log {
  /** Log index as reported by the node. Logs that some nodes add themselves have indices near 2^32. */
  readonly index: bigint
  readonly address: Uint8Array
  readonly topics: readonly Uint8Array[]
  readonly data: Uint8Array
}

/** The types of calls. */
export const CALL_TYPES = [
  'CALL',
  'CALLCODE',
  'DELEGATECALL',
  'STATICCALL',
  'CREATE',
  'CREATE2',
  'SELFDESTRUCT',
] as const
export type CallType = (typeof CALL_TYPES)[number]

/** A call in a trace, with its inner calls in order. */
export interface CallFrame {
  readonly type: CallType
  readonly from: Uint8Array
  /** Recipient; undefined for a contract creation that failed before the node computed the address. */
  readonly to: Uint8Array | undefined
  readonly value: bigint
  readonly gas: bigint
  readonly gasUsed: bigint
  /** Whether the call succeeded. A failed call reverts its own effects and the effects of all inner calls. */
  readonly succeeded: boolean
  readonly calls: readonly CallFrame[]
}
