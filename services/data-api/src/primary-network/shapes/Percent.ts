/** Millionths as a percentage with no digit too many: 25000 is 2.5. */
export function percent(shares: number): string {
  return String(shares / 10_000)
}

/** A part of a whole as a percentage with six decimals; 0 of nothing. */
export function percentOf(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number((part * 100_000_000n) / whole) / 1_000_000
}
