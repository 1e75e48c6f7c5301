import { TxsError } from '../TxsError.ts'

/** Maximum amount: 2^64 − 1. */
export const MAX = 0xffff_ffff_ffff_ffffn

/**
 * Returns the sum of amounts.
 * @example
 * ```ts
 * import { Amount } from '@firn/txs'
 *
 * Amount.sum([1_000_000_000n, 500_000_000n]) // 1500000000n
 * ```
 * @throws TxsError `TXS_OVERFLOW` if it is above 2^64 − 1
 */
export function sum(amounts: Iterable<bigint>): bigint {
  let total = 0n
  for (const amount of amounts) total += amount
  return assertFits(total)
}

/**
 * Returns the product of two amounts.
 * @example
 * ```ts
 * import { Amount } from '@firn/txs'
 *
 * Amount.multiply(3n, 1_000_000_000n) // 3000000000n
 * ```
 * @throws TxsError `TXS_OVERFLOW` if it is above 2^64 − 1
 */
export function multiply(a: bigint, b: bigint): bigint {
  return assertFits(a * b)
}

/**
 * Returns the smaller of two amounts.
 * @example
 * ```ts
 * import { Amount } from '@firn/txs'
 *
 * Amount.min(2n, 3n) // 2n
 * ```
 */
export function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

/**
 * Compares two amounts, for sorting.
 * @example
 * ```ts
 * import { Amount } from '@firn/txs'
 *
 * const sorted = [3n, 1n, 2n].sort(Amount.compare) // [1n, 2n, 3n]
 * ```
 */
export function compare(a: bigint, b: bigint): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/**
 * Returns the amount, or 2^64 − 1 if it is larger.
 * @example
 * ```ts
 * import { Amount } from '@firn/txs'
 *
 * Amount.saturate(2n ** 64n) === Amount.MAX // true
 * ```
 */
export function saturate(amount: bigint): bigint {
  return min(amount, MAX)
}

function assertFits(amount: bigint): bigint {
  if (amount > MAX) {
    throw new TxsError('TXS_OVERFLOW', `expected an amount of at most 2^64 − 1, got ${amount}`, {
      details: { amount },
    })
  }
  return amount
}
