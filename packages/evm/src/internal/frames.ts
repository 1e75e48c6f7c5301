import type { Block, CallFrame, Transaction } from '../Block.ts'

/** A call with its position in the trace and its outcome. */
export interface Visited {
  readonly transaction: Transaction
  readonly frame: CallFrame
  /** Position of the call, depth first; 0 for the outermost call. */
  readonly position: number
  /** Whether the call took effect: neither the call nor an enclosing call failed. */
  readonly succeeded: boolean
}

/** Yields the calls of a block, each before its inner calls. Yields nothing if the block has no traces. */
export function* frames(block: Block): Generator<Visited> {
  for (const [i, outermost] of (block.traces ?? []).entries()) {
    const transaction = block.transactions[i]
    if (transaction === undefined) continue
    let position = 0
    const rest: { readonly frame: CallFrame; readonly isInEffect: boolean }[] = [
      { frame: outermost, isInEffect: transaction.succeeded },
    ]
    for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
      const { frame } = next
      const succeeded = next.isInEffect && frame.succeeded
      yield { transaction, frame, position, succeeded }
      position += 1
      for (const call of frame.calls.toReversed()) rest.push({ frame: call, isInEffect: succeeded })
    }
  }
}
