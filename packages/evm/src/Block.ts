/**
 * A block of an EVM chain with what its execution gave: its transactions with their receipts, its logs and, where the node traces,
 * its calls. Hashes and addresses are bytes, amounts are in the smallest unit (wei).
 */
export interface Block {
  readonly height: bigint
  /** As the node reports it: headers grow, so it is never computed here. */
  readonly hash: Uint8Array
  readonly parentHash: Uint8Array
  /** Unix seconds. */
  readonly timestamp: bigint
  /** Unix milliseconds; since Granite. */
  readonly timestampMilliseconds: bigint | undefined
  /** Since Granite. */
  readonly minDelayExcess: bigint | undefined
  readonly miner: Uint8Array
  /** Undefined before dynamic fees. On chains that execute asynchronously only a bound: receipts tell what was paid. */
  readonly baseFee: bigint | undefined
  readonly gasLimit: bigint
  /** The header's. On chains that execute asynchronously it is what was reserved, not what was used. */
  readonly gasUsed: bigint
  readonly blockGasCost: bigint | undefined
  /** The newest block whose results this header holds; undefined where a header holds its own. */
  readonly settledHeight: bigint | undefined
  readonly transactions: readonly Transaction[]
  /** The outermost call of each transaction, in their order; undefined where the node doesn't trace. */
  readonly traces: readonly CallFrame[] | undefined
}

/** A transaction with its receipt. */
export interface Transaction {
  readonly hash: Uint8Array
  /** Its place in the block. */
  readonly index: number
  /** The byte of its envelope; 0 for one from before envelopes. */
  readonly type: number
  readonly from: Uint8Array
  /** Undefined for the creation of a contract. */
  readonly to: Uint8Array | undefined
  readonly nonce: bigint
  readonly value: bigint
  readonly input: Uint8Array
  readonly gasLimit: bigint
  /** Whether it did what it was to do. */
  readonly succeeded: boolean
  readonly gasUsed: bigint
  /** What was paid for a unit of gas. */
  readonly gasPrice: bigint
  /** What it would have paid for a unit of gas at most, and to the block's maker; undefined where its type has none. */
  readonly maxFeePerGas: bigint | undefined
  readonly maxPriorityFeePerGas: bigint | undefined
  /** The contract that it created at its top level; undefined where it created none. */
  readonly contractAddress: Uint8Array | undefined
  readonly logs: readonly Log[]
}

/** A log of a receipt. */
export interface Log {
  /** As the node reports it: some nodes give indices near 2^32 to logs of their own making. */
  readonly index: bigint
  readonly address: Uint8Array
  readonly topics: readonly Uint8Array[]
  readonly data: Uint8Array
}

/** The kinds of a call. */
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

/** A call of a trace, with the calls that it made, in their order. */
export interface CallFrame {
  readonly type: CallType
  readonly from: Uint8Array
  /** Undefined for a creation that failed before it had an address. */
  readonly to: Uint8Array | undefined
  readonly value: bigint
  readonly gas: bigint
  readonly gasUsed: bigint
  /** Whether it ended well; what a call that failed had done is undone, with all that its calls did. */
  readonly succeeded: boolean
  readonly calls: readonly CallFrame[]
}
