import type { Block } from './Block.ts'
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

/** The activity of a block. */
export function of(block: Block, transfers: readonly Transfer[]): Activity {
  void block
  void transfers
  return { addresses: new Set(), senders: new Set(), deployers: new Set() }
}
