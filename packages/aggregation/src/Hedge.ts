import type { Options } from './Options.ts'

/** Latencies of recent answers across all aggregations; made by {@link createHistory}. */
export interface LatencyHistory {
  add(latencyMs: number): void
  /** Returns the latency quantile `q` of the kept answers, or undefined before {@link ENOUGH} of them. */
  quantile(q: number): number | undefined
}

/** Number of latencies kept, and the number from which on they are used. */
const KEPT = 512
const ENOUGH = 20

/** Returns an empty history that keeps the last 512 latencies. */
export function createHistory(): LatencyHistory {
  const ring: number[] = []
  let next = 0
  let sorted: Float64Array | undefined
  return {
    add(latencyMs) {
      ring[next] = latencyMs
      next = (next + 1) % KEPT
      sorted = undefined
    },
    quantile(q) {
      if (ring.length < ENOUGH) return undefined
      // Queried after every answer: typed arrays sort without a callback, several times as fast.
      sorted ??= Float64Array.from(ring).sort()
      return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))]
    },
  }
}

/**
 * Returns how many milliseconds a node may be silent before others are asked in its place.
 *
 * Once half of the validators asked have answered, it is twice the time that took: with a silent third that
 * is the three-quarter mark of the live ones, so it does not fire early when the first answers come from
 * nearby nodes. Before that, it is 1.5 times the 95th percentile of earlier answers; with no history, the
 * option.
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
