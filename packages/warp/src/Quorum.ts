/** Fraction of the total weight that must sign: `numerator / denominator`. The P-chain requires 67/100. */
export interface Quorum {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** Quorum of the P-chain, 67/100, which is also the default of EVM chains (configurable from 33 to 100). */
export const DEFAULT: Quorum = { numerator: 67n, denominator: 100n }

/**
 * Returns `percentage`/100 as a quorum.
 *
 * @example
 * ```ts
 * import { Quorum } from '@firn/warp'
 *
 * Quorum.percent(80) // { numerator: 80n, denominator: 100n }
 * ```
 */
export function percent(percentage: number | bigint): Quorum {
  return { numerator: BigInt(percentage), denominator: 100n }
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
 * Returns the smallest weight that is at least `percentage` % of `totalWeight`.
 *
 * @example
 * ```ts
 * import { Quorum } from '@firn/warp'
 *
 * Quorum.needed(1_001n, 67) // 671n
 * ```
 */
export function needed(totalWeight: bigint, percentage: number | bigint): bigint {
  return (totalWeight * BigInt(percentage) + 99n) / 100n
}
