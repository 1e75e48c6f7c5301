/** Formats millionths as a percentage without trailing zeros, for example 25000 as 2.5. */
export function percent(shares: number): string {
  return String(shares / 10_000)
}

/** Returns a part of a total as a percentage with at most six decimal places; 0 if the total is 0. */
export function percentOf(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number((part * 100_000_000n) / whole) / 1_000_000
}
