/**
 * Returns Σ weight · point for 64-bit weights. Uses only additions, because blst's addon has no multiplication of
 * points. Applies Pippenger's bucket method. Each call of `sum` adds as many points as possible.
 *
 * `sum` adds one or more points. At least one weight must not be zero.
 */
export function weightedSum<P>(
  sum: (points: readonly P[]) => P,
  points: readonly P[],
  weights: BigUint64Array,
): P {
  const width = windowWidth(points.length)
  const windows = Math.ceil(64 / width)
  let result: P | undefined
  for (let window = windows - 1; window >= 0; window--) {
    const buckets = fillBuckets(points, weights, width, BigInt(window * width)).map((bucket) =>
      // A window of one bit has a single bucket, whose points are used only once. The call of `sum` below adds them
      // directly.
      width === 1 || bucket.length < 2 ? bucket : [sum(bucket)],
    )
    for (let bit = width - 1; bit >= 0; bit--) {
      const parts: P[] = result === undefined ? [] : [result, result]
      for (let digit = 1 << bit; digit < buckets.length; digit++) {
        if (((digit >> bit) & 1) === 0) continue
        for (const point of buckets[digit] as P[]) parts.push(point)
      }
      if (parts.length > 0) result = parts.length === 1 ? parts[0] : sum(parts)
    }
  }
  return result as P
}

/** Returns the buckets of a window: for each digit above 0, the points whose weight has this digit in the window. */
function fillBuckets<P>(points: readonly P[], weights: BigUint64Array, width: number, shift: bigint): P[][] {
  const buckets: P[][] = Array.from({ length: 1 << width }, () => [])
  const mask = (1n << BigInt(width)) - 1n
  for (let i = 0; i < points.length; i++) {
    const digit = Number(((weights[i] as bigint) >> shift) & mask)
    if (digit !== 0) (buckets[digit] as P[]).push(points[i] as P)
  }
  return buckets
}

/**
 * Returns the window width that needs the fewest additions for `count` points. The overhead of a native call is about
 * three additions.
 */
function windowWidth(count: number): number {
  let best = 1
  let least = Number.POSITIVE_INFINITY
  for (let width = 1; width <= 8; width++) {
    const windows = Math.ceil(64 / width)
    const digits = (1 << width) - 1
    const bucketing = width === 1 ? 0 : windows * Math.min(count, digits) * 3
    const cost = windows * count * (digits / (digits + 1)) + bucketing + 64 * (5 + (1 << (width - 1)))
    if (cost < least) {
      least = cost
      best = width
    }
  }
  return best
}
