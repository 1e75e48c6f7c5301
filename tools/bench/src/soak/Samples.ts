/** What is measured of a process, with the name of its Prometheus metric without prefix, and its factor to the unit. */
export const GAUGES = {
  'heap MiB': { metric: 'nodejs_heap_size_used_bytes', factor: 2 ** -20, growth: 16 },
  'RSS MiB': { metric: 'process_resident_memory_bytes', factor: 2 ** -20, growth: 48 },
  'open files': { metric: 'process_open_fds', factor: 1, growth: 20 },
  handles: { metric: 'nodejs_active_resources_total', factor: 1, growth: 20 },
  'loop delay ms': { metric: 'nodejs_eventloop_lag_p99_seconds', factor: 1_000, growth: undefined },
} as const

/** Name of a measure. `growth` of its declaration is the largest growth per hour that is not a failure. */
export type Gauge = keyof typeof GAUGES

/** All measures, in the order of the table. */
export const ALL = Object.keys(GAUGES) as readonly Gauge[]

/** The measures of a process at a time in milliseconds. */
export interface Sample {
  readonly at: number
  readonly values: Readonly<Record<Gauge, number>>
}

/** Returns the measures in a Prometheus text; NaN for those that it does not contain. */
export function parse(at: number, text: string): Sample {
  const value = (gauge: Gauge) => {
    const { metric, factor } = GAUGES[gauge]
    return factor * Number(new RegExp(`^\\w*${metric}(?:\\{[^}]*\\})? (\\S+)`, 'm').exec(text)?.[1])
  }
  return { at, values: Object.fromEntries(ALL.map((gauge) => [gauge, value(gauge)])) as Sample['values'] }
}

const HOUR_MS = 3_600_000
const WINDOWS = 12

/**
 * Returns the growth of a measure per hour: the slope of a line through its minima in twelve equal parts of the time.
 * Minima, because a heap grows between two collections of garbage, of which there is at least one in each part.
 */
export function growth(samples: readonly Sample[], gauge: Gauge): number {
  const [first, last] = [samples[0]?.at ?? 0, samples.at(-1)?.at ?? 0]
  const points = Array.from({ length: WINDOWS }, (_, i) => {
    const bound = (part: number) => first + ((last - first) * part) / WINDOWS
    const inside = samples.filter(({ at }) => at >= bound(i) && at <= bound(i + 1))
    return {
      x: (bound(i) + bound(i + 1)) / 2 / HOUR_MS,
      y: Math.min(...inside.map(({ values }) => values[gauge])),
    }
  }).filter(({ y }) => Number.isFinite(y))
  return slope(points)
}

interface Point {
  readonly x: number
  readonly y: number
}

/** Returns the slope of the line with the least squares through the points. */
function slope(points: readonly Point[]): number {
  const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length
  const [x, y] = [mean(points.map((point) => point.x)), mean(points.map((point) => point.y))]
  const covariance = mean(points.map((point) => (point.x - x) * (point.y - y)))
  return covariance / mean(points.map((point) => (point.x - x) ** 2))
}
