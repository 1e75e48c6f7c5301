import type { Block } from './Block.ts'

/** What is needed of a block's time. */
export type Times = Pick<Block, 'timestamp' | 'timestampMilliseconds'>

/**
 * Seconds between a block and the one before it: by the milliseconds where both have them, else by the seconds. Blocks of the same
 * time are taken to be a second apart, so that rates stay finite.
 */
export function seconds(before: Times, block: Times): number {
  const elapsed =
    before.timestampMilliseconds === undefined || block.timestampMilliseconds === undefined
      ? 1000n * (block.timestamp - before.timestamp)
      : block.timestampMilliseconds - before.timestampMilliseconds
  return elapsed > 0n ? Number(elapsed) / 1000 : 1
}

/** How much of a block's gas, or how many of its transactions, came in a second since the block before it. */
export function of(amount: bigint | number, before: Times, block: Times): number {
  return Number(amount) / seconds(before, block)
}

/** When a block was, Unix milliseconds; those of its second where it tells none. */
export function milliseconds({ timestamp, timestampMilliseconds }: Times): bigint {
  return timestampMilliseconds ?? 1000n * timestamp
}
