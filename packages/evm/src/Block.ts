/**
 * A block of an EVM chain with the results of its execution: its transactions with their receipts, its logs
 * and, if the node traces, its calls. Hashes and addresses are bytes, amounts are in the smallest unit (wei).
 */
export interface Block {
  readonly height: bigint
  /** As reported by the node: headers gain fields, so it is never computed here. */
  readonly hash: Uint8Array
  readonly parentHash: Uint8Array
  /** Unix seconds. */
  readonly timestamp: bigint
  /** Unix milliseconds; from Granite on. */
  readonly timestampMilliseconds: bigint | undefined
  /** From Granite on. */
  readonly minDelayExcess: bigint | undefined
  readonly miner: Uint8Array
  /**
   * Undefined before dynamic fees. On chains that execute asynchronously it is only a bound; receipts contain
   * the price paid.
   */
  readonly baseFee: bigint | undefined
  readonly gasLimit: bigint
  /** The header's value. On chains that execute asynchronously it is the reserved gas, not the gas used. */
  readonly gasUsed: bigint
  readonly blockGasCost: bigint | undefined
  /** The newest block whose results this header contains; undefined where a header contains its own. */
  readonly settledHeight: bigint | undefined
  readonly transactions: readonly Transaction[]
  /** The outermost call of each transaction, in order; undefined where the node does not trace. */
  readonly traces: readonly CallFrame[] | undefined
}

/** A transaction with its receipt. */
export interface Transaction {
  readonly hash: Uint8Array
  /** Index in the block. */
  readonly index: number
  /** The type byte of its envelope; 0 for a legacy transaction. */
  readonly type: number
  readonly from: Uint8Array
  /** Undefined for the creation of a contract. */
  readonly to: Uint8Array | undefined
  readonly nonce: bigint
  readonly value: bigint
  readonly input: Uint8Array
  readonly gasLimit: bigint
  /** Whether execution succeeded. */
  readonly succeeded: boolean
  readonly gasUsed: bigint
  /** Price paid per unit of gas. */
  readonly gasPrice: bigint
  /** Maximum total and priority price per unit of gas; undefined where its type has none. */
  readonly maxFeePerGas: bigint | undefined
  readonly maxPriorityFeePerGas: bigint | undefined
  /** The contract that it created at its top level; undefined if none. */
  readonly contractAddress: Uint8Array | undefined
  readonly logs: readonly Log[]
}

/** A log of a receipt. */
export interface Log {
  /** As reported by the node: some nodes give indices near 2^32 to logs that they add themselves. */
  readonly index: bigint
  readonly address: Uint8Array
  readonly topics: readonly Uint8Array[]
  readonly data: Uint8Array
}

/** The kinds of calls. */
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

/** A call of a trace with its inner calls, in order. */
export interface CallFrame {
  readonly type: CallType
  readonly from: Uint8Array
  /** Undefined for a creation that failed before it had an address. */
  readonly to: Uint8Array | undefined
  readonly value: bigint
  readonly gas: bigint
  readonly gasUsed: bigint
  /** Whether the call succeeded; a failed call reverts its effects and those of all inner calls. */
  readonly succeeded: boolean
  readonly calls: readonly CallFrame[]
}
