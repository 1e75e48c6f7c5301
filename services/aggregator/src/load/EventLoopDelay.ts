import { type Histogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { Gauge, type Registry } from 'prom-client'

/** Milliseconds between two samples. Every sample contains this time, which is not a delay. */
const RESOLUTION_MS = 10
/** The metric covers at least this time and at most twice this time. */
const WINDOW_MS = 30_000
const QUANTILES = [0.5, 0.99, 1]

/** The part of a histogram of Node.js that is used here, in nanoseconds. */
export type DelayHistogram = Pick<Histogram, 'max' | 'percentile' | 'reset'>

/** The measurement of the event loop's delay; created by {@link createEventLoopDelay}. */
export interface EventLoopDelay {
  /** Starts a new window in place of the older one. A timer calls it. */
  rotate(): void
  close(): void
}

/**
 * Exposes how late the event loop was in the last 30 to 60 seconds. The default metrics of `prom-client` start again
 * with each scrape, so they hide a burst from all scrapers but the first.
 */
export function createEventLoopDelay(
  register: Registry,
  create: () => DelayHistogram & { close(): void } = startHistogram,
): EventLoopDelay {
  let [older, newer] = [create(), create()]
  new Gauge({
    name: 'signature_aggregator_event_loop_delay_seconds',
    help: 'How late the event loop was in the last 30 to 60 seconds; the quantile 1 is the maximum',
    labelNames: ['quantile'],
    registers: [register],
    collect() {
      for (const quantile of QUANTILES) this.set({ quantile }, delayAt(older, quantile))
    },
  })
  const rotate = () => {
    older.reset()
    ;[older, newer] = [newer, older]
  }
  const timer = setInterval(rotate, WINDOW_MS).unref()
  return {
    rotate,
    close() {
      clearInterval(timer)
      older.close()
      newer.close()
    },
  }
}

/** Returns a quantile of the delays in seconds. */
function delayAt(histogram: DelayHistogram, quantile: number): number {
  const nanoseconds = quantile === 1 ? histogram.max : histogram.percentile(quantile * 100)
  return Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS) / 1e3
}

function startHistogram(): DelayHistogram & { close(): void } {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  histogram.enable()
  return Object.assign(histogram, { close: () => void histogram.disable() })
}
