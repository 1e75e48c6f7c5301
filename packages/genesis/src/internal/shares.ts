import type { Allocation, Unlock } from '../GenesisConfig.ts'

/** A locked amount of an address. */
export interface Locked extends Unlock {
  readonly avaxAddr: Uint8Array
}

/**
 * Splits locked amounts evenly over `count` stakers, in order: each gets a whole part, the last one the rest.
 * Where a staker's part is full exactly at the end of an amount, the next amount adds an entry of zero to it,
 * as in the reference.
 */
export function splitOver(allocations: readonly Allocation[], count: number): Locked[][] {
  const amounts = allocations.flatMap(({ avaxAddr, unlockSchedule }) =>
    unlockSchedule.map((unlock) => ({ ...unlock, avaxAddr })),
  )
  const total = amounts.reduce((sum, { amount }) => sum + amount, 0n)
  const part = total / BigInt(count)
  const full: Locked[][] = []
  let current: Locked[] = []
  let taken = 0n
  for (const { avaxAddr, locktime, amount } of amounts) {
    let left = amount
    while (taken + left > part && full.length < count - 1) {
      current.push({ avaxAddr, locktime, amount: part - taken })
      left -= part - taken
      full.push(current)
      current = []
      taken = 0n
    }
    if (left === 0n) continue
    current.push({ avaxAddr, locktime, amount: left })
    taken += left
  }
  return [...full, current]
}
