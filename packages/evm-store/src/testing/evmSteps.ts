import type { Block } from '@firn/evm'
import type { Random } from '@firn/evm/testing'

/** Milliseconds between blocks: mostly seconds, and sometimes hours or days. */
const STEPS = [1_000, 2_000, 5_000, 1_800_000, 3_600_000, 90_000_000]

/** Returns the time from one invented block to the next, in milliseconds. For tests only. */
export const elapse = (random: Random): bigint => BigInt(random.pick(STEPS))

/** Returns the contracts that a block creates or that emit its logs. For tests only. */
export function contractsOf({ transactions, traces }: Block): Uint8Array[] {
  const created = (traces ?? []).flatMap(function all(frame): Uint8Array[] {
    return [...(frame.to === undefined ? [] : [frame.to]), ...frame.calls.flatMap(all)]
  })
  return [...created, ...transactions.flatMap(({ logs }) => logs.map(({ address }) => address))]
}
