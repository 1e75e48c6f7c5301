import { Hex } from '@firn/codec'
import type { Block } from './Block.ts'
import { visitFrames } from './internal/frames.ts'
import type { Transfer } from './Transfers.ts'

/**
 * The addresses that were active in a block, for metrics that count addresses. Each set contains an address
 * once, as lowercase text with the prefix `0x`.
 */
export interface Activity {
  /** Addresses in `from` or `to` of a transaction or a token transfer. */
  readonly addresses: ReadonlySet<string>
  /** Addresses in `from` of a transaction or a token transfer. */
  readonly senders: ReadonlySet<string>
  /** Addresses in `from` of a call that created a contract. Failed and undone creations do not count. */
  readonly deployers: ReadonlySet<string>
}

/**
 * Returns the activity of a block. Failed transactions and the zero address are included. The operator of an ERC-1155
 * transfer is not included. Without traces, `deployers` is empty.
 *
 * @example
 * ```ts
 * import { Activity, type Block, Transfers } from '@firn/evm'
 *
 * declare const block: Block
 * const { addresses, senders, deployers } = Activity.of(block, Transfers.of(block))
 * ```
 */
export function of(block: Block, transfers: readonly Transfer[]): Activity {
  const activity = { addresses: new Set<string>(), senders: new Set<string>(), deployers: new Set<string>() }
  visit(block, transfers, (address, role) => {
    const text = Hex.encode(address)
    if (role === 'deployer') activity.deployers.add(text)
    else activity.addresses.add(text)
    if (role === 'sender') activity.senders.add(text)
  })
  return activity
}

/** What an address does in a block: `sender` and `recipient` of transactions and token transfers. */
export type Role = 'sender' | 'recipient' | 'deployer'

/**
 * Calls `onActive` for each activity of a block that {@link of} includes. An address that is active several times is
 * visited as often.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { Activity, type Block } from '@firn/evm'
 *
 * declare const block: Block
 * Activity.visit(block, [], (address, role) => console.log(Hex.encode(address), role))
 * ```
 */
export function visit(
  block: Block,
  transfers: readonly Transfer[],
  onActive: (address: Uint8Array, role: Role) => void,
): void {
  for (const { from, to } of block.transactions) {
    onActive(from, 'sender')
    if (to !== undefined) onActive(to, 'recipient')
  }
  for (const { from, to } of transfers) {
    onActive(from, 'sender')
    onActive(to, 'recipient')
  }
  visitFrames(block, ({ type, from }, _transaction, _position, isInEffect) => {
    if (isInEffect && (type === 'CREATE' || type === 'CREATE2')) onActive(from, 'deployer')
  })
}
