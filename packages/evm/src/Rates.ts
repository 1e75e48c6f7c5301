import type { Block } from './Block.ts'

/** The timestamps of a block from which rates are calculated. */
export type Times = Pick<Block, 'timestamp' | 'timestampMilliseconds'>

/**
 * Returns the seconds between a block and its predecessor. Uses milliseconds if both blocks have them. Blocks
 * with the same time count as one second apart, so that rates are finite.
 *
 * @example
 * ```ts
 * import { Rates } from '@firn/evm'
 *
 * const before = { timestamp: 100n, timestampMilliseconds: 100_500n }
 * Rates.seconds(before, { timestamp: 102n, timestampMilliseconds: 102_000n }) // 1.5
 * ```
 */
export function seconds(before: Times, block: Times): number {
  const elapsed =
    before.timestampMilliseconds === undefined || block.timestampMilliseconds === undefined
      ? 1000n * (block.timestamp - before.timestamp)
      : block.timestampMilliseconds - before.timestampMilliseconds
  return elapsed > 0n ? Number(elapsed) / 1000 : 1
}

/**
 * Returns `amount`, the gas or the number of transactions of a block, divided by the seconds since the previous
 * block.
 *
 * @example
 * ```ts
 * import { type Block, Rates } from '@firn/evm'
 *
 * declare const before: Block
 * declare const block: Block
 * const transactionsPerSecond = Rates.of(block.transactions.length, before, block)
 * ```
 */
export function of(amount: bigint | number, before: Times, block: Times): number {
  return Number(amount) / seconds(before, block)
}

/**
 * Returns the time of a block in Unix milliseconds. It is derived from the seconds if the block has no
 * milliseconds.
 *
 * @example
 * ```ts
 * import { Rates } from '@firn/evm'
 *
 * Rates.milliseconds({ timestamp: 100n, timestampMilliseconds: undefined }) // 100000n
 * ```
 */
export function milliseconds({ timestamp, timestampMilliseconds }: Times): bigint {
  return timestampMilliseconds ?? 1000n * timestamp
}
