import type { Block } from './Block.ts'

/** The token standards that transfers are known of. */
export type Standard = 20 | 721 | 1155

/** A transfer of tokens, as a log tells it. Mints come from the zero address, burns go to it. */
export interface Transfer {
  readonly transactionIndex: number
  readonly logIndex: bigint
  /** The place in a batch of ERC-1155; 0 for all others. */
  readonly position: number
  readonly standard: Standard
  readonly contract: Uint8Array
  readonly from: Uint8Array
  readonly to: Uint8Array
  /** Undefined for ERC-20. */
  readonly tokenId: bigint | undefined
  /** 1 for ERC-721. */
  readonly amount: bigint
}

/** The transfers of a block, in the order of its logs. Logs that only look like a transfer are none. */
export function of(block: Block): Transfer[] {
  void block
  return []
}
