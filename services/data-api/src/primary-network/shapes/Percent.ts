/** Returns millionths as a percentage without trailing zeros: 25000 is 2.5. */
export function percent(shares: number): string {
  return String(shares / 10_000)
}

/** Returns a part of a whole as a percentage with six decimals; 0 for an empty whole. */
export function percentOf(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number((part * 100_000_000n) / whole) / 1_000_000
}
