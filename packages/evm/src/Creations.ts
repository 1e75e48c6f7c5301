import type { Block } from './Block.ts'
import { frames } from './internal/frames.ts'

/** The creation of a contract. */
export interface Creation {
  readonly transactionIndex: number
  /** Position of its call in the trace, depth first, 0 for the outermost. */
  readonly position: number
  readonly opcode: 'CREATE' | 'CREATE2'
  /** Undefined where it failed before it had an address. */
  readonly contract: Uint8Array | undefined
  /** The transaction's sender. */
  readonly deployer: Uint8Array
  /** The creating account: the sender itself at the top level, otherwise a contract. */
  readonly creator: Uint8Array
  /** Whether the contract exists: neither its call nor an enclosing one failed. */
  readonly succeeded: boolean
}

/**
 * Returns the creations of a block, in order, including failed ones. Without traces only those at the top
 * level are known.
 */
export function of(block: Block): Creation[] {
  return block.traces === undefined ? atTopLevel(block) : inTraces(block)
}

function atTopLevel({ transactions }: Block): Creation[] {
  return transactions
    .filter(({ to }) => to === undefined)
    .map(({ index, contractAddress, from, succeeded }) => ({
      transactionIndex: index,
      position: 0,
      opcode: 'CREATE',
      contract: contractAddress,
      deployer: from,
      creator: from,
      succeeded,
    }))
}

function inTraces(block: Block): Creation[] {
  const creations: Creation[] = []
  for (const { transaction, frame, position, succeeded } of frames(block)) {
    if (frame.type !== 'CREATE' && frame.type !== 'CREATE2') continue
    creations.push({
      transactionIndex: transaction.index,
      position,
      opcode: frame.type,
      contract: frame.to,
      deployer: transaction.from,
      creator: frame.from,
      succeeded,
    })
  }
  return creations
}
