import { Id } from '@firn/codec'

/** The most that a sum shows: amounts have 64 bits. */
export const MAX = 2n ** 64n - 1n

/** Sums by asset, under the text of its id; each stays at {@link MAX} instead of going beyond. */
export type Amounts = Map<string, bigint>

/** Adds an amount of an asset. */
export function add(amounts: Amounts, assetId: Uint8Array, amount: bigint): void {
  const key = Id.format(assetId)
  amounts.set(key, plus(amounts.get(key) ?? 0n, amount))
}

/** The sum of several amounts, at most {@link MAX}. */
export function plus(...amounts: readonly bigint[]): bigint {
  const sum = amounts.reduce((total, amount) => total + amount, 0n)
  return sum > MAX ? MAX : sum
}

/** All keys of several sums, with their totals. */
export function total(...parts: readonly ReadonlyMap<string, bigint>[]): Amounts {
  const keys = new Set(parts.flatMap((part) => [...part.keys()]))
  return new Map([...keys].map((key) => [key, plus(...parts.map((part) => part.get(key) ?? 0n))]))
}
