/** Returns the quantile `q` (0 to 1) of the numbers, without interpolation. */
export function at(numbers: readonly number[], q: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN
}
