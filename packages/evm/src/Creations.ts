import type { Block } from './Block.ts'
import { visitFrames } from './internal/frames.ts'

/**
 * A contract creation, successful or not. Only creations that `succeeded` left a contract: an enclosing call that fails
 * undoes the creations inside it. Contracts, deployers and metrics count only these.
 */
export interface Creation {
  readonly transactionIndex: number
  /** Position of the creating call in the trace, depth first; 0 for the outermost call. */
  readonly position: number
  readonly opcode: 'CREATE' | 'CREATE2'
  /** Address of the contract; undefined if the creation failed before the node computed the address. */
  readonly contract: Uint8Array | undefined
  /** Sender of the transaction. */
  readonly deployer: Uint8Array
  /** Account that created the contract: the sender at the top level, otherwise a contract. */
  readonly creator: Uint8Array
  /** Whether the contract was created: neither its call nor an enclosing call failed. */
  readonly succeeded: boolean
}

/**
 * Returns the creations of a block in order, including failed creations. Without traces, only creations at
 * the top level of transactions are known.
 *
 * @example
 * ```ts
 * import { type Block, Creations } from '@firn/evm'
 *
 * declare const block: Block
 * const deployers = Creations.of(block).map(({ deployer }) => deployer)
 * ```
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
  visitFrames(block, ({ type, from, to }, transaction, position, succeeded) => {
    if (type !== 'CREATE' && type !== 'CREATE2') return
    creations.push({
      transactionIndex: transaction.index,
      position,
      opcode: type,
      contract: to,
      deployer: transaction.from,
      creator: from,
      succeeded,
    })
  })
  return creations
}
