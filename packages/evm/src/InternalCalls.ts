import type { Block, CallType } from './Block.ts'
import { frames } from './internal/frames.ts'

/** A call within a transaction. */
export interface InternalCall {
  readonly transactionIndex: number
  /**
   * Position in the trace, depth first; the outermost call, which is the transaction itself, has 0 and is not
   * included.
   */
  readonly position: number
  readonly type: CallType
  readonly from: Uint8Array
  readonly to: Uint8Array | undefined
  readonly value: bigint
  readonly gas: bigint
  readonly gasUsed: bigint
  /** Whether it took effect: neither it nor an enclosing call failed. */
  readonly succeeded: boolean
}

/** Returns the internal calls of a block, in order; empty where the block has no traces. */
export function of(block: Block): InternalCall[] {
  const calls: InternalCall[] = []
  for (const { transaction, frame, position, succeeded } of frames(block)) {
    if (position === 0) continue
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
  }
  return calls
}
