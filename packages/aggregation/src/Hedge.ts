import type { Options } from './Options.ts'

/** Latencies of recent responses across all aggregations; created by {@link createHistory}. */
export interface LatencyHistory {
  add(latencyMs: number): void
  /**
   * Returns the latency quantile `q`, or undefined while fewer than {@link ENOUGH} latencies are recorded.
   */
  quantile(q: number): number | undefined
}

/** Number of latencies kept, and the minimum number needed for a quantile. */
const KEPT = 512
const ENOUGH = 20

/** Returns an empty history that keeps the last 512 latencies. */
export function createHistory(): LatencyHistory {
  const ring = new Float64Array(KEPT)
  // The quantile is read after every response, so the latencies are kept sorted.
  const sorted = new Float64Array(KEPT)
  let next = 0
  let known = 0
  return {
    add(latencyMs) {
      if (known === KEPT) {
        const oldest = firstAtLeast(sorted, known, ring[next] as number)
        sorted.copyWithin(oldest, oldest + 1, known)
        known -= 1
      }
      const place = firstAtLeast(sorted, known, latencyMs)
      sorted.copyWithin(place + 1, place, known)
      sorted[place] = latencyMs
      known += 1
      ring[next] = latencyMs
      next = (next + 1) % KEPT
    },
    quantile(q) {
      return known < ENOUGH ? undefined : sorted[Math.min(known - 1, Math.floor(q * known))]
    },
  }
}

/** Returns the index of the first of `length` sorted numbers that is not below `value`, or `length`. */
function firstAtLeast(sorted: Float64Array, length: number, value: number): number {
  let low = 0
  for (let high = length; low < high; ) {
    const middle = (low + high) >> 1
    if ((sorted[middle] as number) < value) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Returns how many milliseconds a node may be silent before other nodes are queried in its place.
 *
 * Once half of the sent requests are answered, the delay is twice the latency of the last of these responses. A few
 * fast nodes nearby do not shorten the delay: even if a third of the validators are silent, half of all means three
 * quarters of the others. Before half have responded, the delay is 1.5 times the 95th percentile of earlier response
 * latencies, or the configured delay if too few latencies are known.
 */
export function delay(halfAnsweredMs: number | undefined, history: LatencyHistory, options: Options): number {
  const learned = halfAnsweredMs === undefined ? earlier(history) : halfAnsweredMs * 2
  if (learned === undefined) return options.hedgeDelayMs
  return Math.min(options.maxHedgeDelayMs, Math.max(options.minHedgeDelayMs, learned))
}

function earlier(history: LatencyHistory): number | undefined {
  const slow = history.quantile(0.95)
  return slow === undefined ? undefined : slow * 1.5
}
