import type { Block, CallFrame, Transaction } from '@firn/evm'

/**
 * Returns the block with the outermost calls of its transactions as its traces. They follow from the transactions and
 * their receipts, so a block whose traces are missing is stored with them.
 */
export function outermost(block: Block): Block {
  return { ...block, traces: block.transactions.map(frameOf) }
}

function frameOf(transaction: Transaction): CallFrame {
  const { from, to, contractAddress, value, gasLimit, gasUsed, succeeded } = transaction
  const type = to === undefined ? 'CREATE' : 'CALL'
  return { type, from, to: to ?? contractAddress, value, gas: gasLimit, gasUsed, succeeded, calls: [] }
}
