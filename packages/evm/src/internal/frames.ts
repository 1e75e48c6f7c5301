import type { Block, CallFrame, Transaction } from '../Block.ts'

/**
 * Receives a call with its position in the trace, depth first, which is 0 for the outermost call. `isInEffect` is whether
 * the call took effect: neither the call nor an enclosing call failed.
 */
export type Visitor = (
  frame: CallFrame,
  transaction: Transaction,
  position: number,
  isInEffect: boolean,
) => void

/** Visits the calls of a block, each before its inner calls. Visits nothing if the block has no traces. */
export function visitFrames({ traces = [], transactions }: Block, onCall: Visitor): void {
  let position = 0
  const visit = (frame: CallFrame, transaction: Transaction, isEnclosed: boolean): void => {
    const isInEffect = isEnclosed && frame.succeeded
    onCall(frame, transaction, position, isInEffect)
    position += 1
    for (const call of frame.calls) visit(call, transaction, isInEffect)
  }
  transactions.forEach((transaction, i) => {
    const outermost = traces[i]
    position = 0
    if (outermost !== undefined) visit(outermost, transaction, transaction.succeeded)
  })
}
