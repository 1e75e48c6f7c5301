import { Hex } from '@firn/codec'
import type { Block } from './Block.ts'
import { frames } from './internal/frames.ts'
import type { Transfer } from './Transfers.ts'

/** Who was active in a block, for the metrics that count addresses. Each address once, as `0x` text of small letters. */
export interface Activity {
  /** In `from` or `to` of a transaction or of a transfer of tokens. */
  readonly addresses: ReadonlySet<string>
  /** In `from` of one. */
  readonly senders: ReadonlySet<string>
  /** In `from` of a call that created a contract, or that tried to. */
  readonly deployers: ReadonlySet<string>
}

/**
 * The activity of a block. Failed transactions, failed creations and the zero address count; the operator of an ERC-1155 transfer
 * doesn't. Without traces no deployers are known.
 */
export function of(block: Block, transfers: readonly Transfer[]): Activity {
  const activity = { addresses: new Set<string>(), senders: new Set<string>(), deployers: new Set<string>() }
  for (const { from, to } of [...block.transactions, ...transfers]) {
    const sender = Hex.encode(from)
    activity.senders.add(sender)
    activity.addresses.add(sender)
    if (to !== undefined) activity.addresses.add(Hex.encode(to))
  }
  for (const { frame } of frames(block)) {
    if (frame.type === 'CREATE' || frame.type === 'CREATE2') activity.deployers.add(Hex.encode(frame.from))
  }
  return activity
}
