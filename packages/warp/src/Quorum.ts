import { excerpt } from '@firn/codec'
import { WarpError } from './WarpError.ts'

/** Fraction of the total weight that must sign: `numerator / denominator`. The P-chain requires 67/100. */
export interface Quorum {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** Quorum of the P-chain, 67/100, which is also the default of EVM chains (configurable from 33 to 100). */
export const DEFAULT: Quorum = { numerator: 67n, denominator: 100n }

/**
 * Returns `percentage`/100 as a quorum. The percentage is a whole number from 0 to 100.
 *
 * @throws WarpError `WARP_QUORUM`
 * @example
 * ```ts
 * import { Quorum } from '@firn/warp'
 *
 * Quorum.percent(80) // { numerator: 80n, denominator: 100n }
 * ```
 */
export function percent(percentage: number | bigint): Quorum {
  return { numerator: whole(percentage, 100), denominator: 100n }
}

/** The type of `percentage` is not relied on, because plain JavaScript passes values of any type. */
function whole(percentage: unknown, most: number): bigint {
  const value = typeof percentage === 'bigint' || Number.isInteger(percentage) ? Number(percentage) : -1
  if (value >= 0 && value <= most) return BigInt(value)
  const expected = Number.isFinite(most) ? `a whole number of percent from 0 to ${most}` : 'whole percents'
  const got = typeof percentage === 'number' ? percentage : excerpt(percentage)
  const message = `expected ${expected}, got ${got}; write other fractions as { numerator, denominator }`
  throw new WarpError('WARP_QUORUM', message, { details: { actual: percentage } })
}

/**
 * Returns true if `signedWeight / totalWeight >= numerator / denominator`. Computes with integers, without
 * rounding or overflow. A quorum of 0, or a set without weight, is met without any signature. Source:
 * avalanchego `warp.VerifyWeight`.
 *
 * @example
 * ```ts
 * import { Quorum } from '@firn/warp'
 *
 * Quorum.isMet(67n, 100n, 67n) // true
 * Quorum.isMet(2n, 3n, 3n, 4n) // false
 * ```
 */
export function isMet(
  signedWeight: bigint,
  totalWeight: bigint,
  numerator: bigint,
  denominator = 100n,
): boolean {
  return signedWeight * denominator >= totalWeight * numerator
}

/**
 * Returns the smallest weight that is at least `percentage` % of `totalWeight`. The percentage is a whole number.
 *
 * @throws WarpError `WARP_QUORUM`
 * @example
 * ```ts
 * import { Quorum } from '@firn/warp'
 *
 * Quorum.needed(1_001n, 67) // 671n
 * ```
 */
export function needed(totalWeight: bigint, percentage: number | bigint): bigint {
  return (totalWeight * whole(percentage, Number.POSITIVE_INFINITY) + 99n) / 100n
}
