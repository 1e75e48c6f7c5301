import type { Options } from './Options.ts'

/** Latencies of answers seen lately, over all aggregations; made by {@link createHistory}. */
export interface LatencyHistory {
  add(latencyMs: number): void
  /** Returns the latency below which the share `q` of the kept answers came, or undefined before {@link ENOUGH}. */
  quantile(q: number): number | undefined
}

/** How many latencies are kept, and from how many on they are believed. */
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
      // Asked anew after every answer: typed numbers sort without a callback, several times as fast.
      sorted ??= Float64Array.from(ring).sort()
      return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))]
    },
  }
}

/**
 * Returns how many milliseconds a node may be silent before others are asked in its stead.
 *
 * Once half of those asked have answered, twice the time that took them: with a silent third that is the three-quarter
 * mark of the living ones, so it doesn't fire early when the first answers come from next door. Before that, one and
 * a half times what 95 % of earlier answers needed; with nothing known, the option.
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
