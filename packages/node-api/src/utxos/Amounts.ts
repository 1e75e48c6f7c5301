import { Id } from '@firn/codec'

/** Maximum of a sum, because amounts have 64 bits. */
export const MAX = 2n ** 64n - 1n

/** Sums of amounts by asset id; each sum is capped at {@link MAX}. */
export type Amounts = Map<string, bigint>

/** Adds an amount to the sum of an asset. */
export function add(amounts: Amounts, assetId: Uint8Array, amount: bigint): void {
  const key = Id.format(assetId)
  amounts.set(key, plus(amounts.get(key) ?? 0n, amount))
}

/** Returns the sum of amounts, capped at {@link MAX}. */
export function plus(...amounts: readonly bigint[]): bigint {
  const sum = amounts.reduce((total, amount) => total + amount, 0n)
  return sum > MAX ? MAX : sum
}

/** Adds up several maps of sums. Returns the total by asset id. */
export function total(...parts: readonly ReadonlyMap<string, bigint>[]): Amounts {
  const keys = new Set(parts.flatMap((part) => [...part.keys()]))
  return new Map([...keys].map((key) => [key, plus(...parts.map((part) => part.get(key) ?? 0n))]))
}
