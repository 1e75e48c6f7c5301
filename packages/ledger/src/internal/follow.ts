import { Bytes, Id } from '@firn/codec'
import type { Draft } from './Draft.ts'
import { refuse } from './refuse.ts'

/** Checks that a block has the next height. */
export function assertHeight(draft: Draft, height: bigint): void {
  if (height === draft.height) return
  refuse('LEDGER_HEIGHT', `expected block height ${draft.height}, got ${height}`, { height })
}

/** Checks that a block's parent is the last block. */
export function assertParent({ tip }: Draft, parentId: Uint8Array): void {
  if (Bytes.equals(parentId, tip.blockId)) return
  const details = { expected: Id.format(tip.blockId), actual: Id.format(parentId) }
  refuse('LEDGER_PARENT', `expected parent block ${details.expected}, got ${details.actual}`, details)
}

/** Checks that a block's time is not before the chain's time. */
export function assertTime({ tip }: Draft, time: bigint): void {
  const { time: now } = tip
  if (time < now)
    refuse('LEDGER_TIME', `expected a block time of at least ${now}, got ${time}`, { now, time })
}
