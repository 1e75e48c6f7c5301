import type { Allocation, Unlock } from '../GenesisConfig.ts'

/** A locked amount and the address that owns it. */
export interface Locked extends Unlock {
  readonly avaxAddr: Uint8Array
}

/**
 * Splits locked amounts evenly among `count` stakers, in order. Each staker gets the same whole amount, and
 * the last staker also gets the remainder. If a staker's share ends exactly at the end of an amount, the
 * share gets an additional entry of zero from the next amount, as in the reference.
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
