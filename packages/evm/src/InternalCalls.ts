import type { Block, CallType } from './Block.ts'
import { visitFrames } from './internal/frames.ts'

/** A call made by a contract within a transaction. */
export interface InternalCall {
  readonly transactionIndex: number
  /**
   * Position of the call in the trace, depth first. Position 0 is the transaction's outermost call, which is
   * not an internal call.
   */
  readonly position: number
  readonly type: CallType
  readonly from: Uint8Array
  readonly to: Uint8Array | undefined
  readonly value: bigint
  readonly gas: bigint
  readonly gasUsed: bigint
  /** Whether the call took effect: neither the call nor an enclosing call failed. */
  readonly succeeded: boolean
}

/**
 * Returns the internal calls of a block in order. The list is empty if the block has no traces.
 *
 * @example
 * ```ts
 * import { type Block, InternalCalls } from '@firn/evm'
 *
 * declare const block: Block
 * const recipients = InternalCalls.of(block).map(({ to }) => to)
 * ```
 */
export function of(block: Block): InternalCall[] {
  const calls: InternalCall[] = []
  visitFrames(block, (frame, transaction, position, succeeded) => {
    if (position === 0) return
    const { type, from, to, value, gas, gasUsed } = frame
    calls.push({
      transactionIndex: transaction.index,
      position,
      type,
      from,
      to,
      value,
      gas,
      gasUsed,
      succeeded,
    })
  })
  return calls
}
