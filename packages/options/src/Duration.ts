/** Milliseconds of each unit. */
const UNITS = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const

/** A unit of time in Go's spelling. */
export type Unit = keyof typeof UNITS

const DURATION = /^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/
const PARTS = /([\d.]+)([a-zµ]+)/g

/**
 * Parses a duration such as `10s`, `500ms` or `1m30s`. Returns milliseconds, or undefined if the text is
 * invalid. A number without a unit is invalid, except for `0`, unless `bare` defines its unit.
 */
export function parse(text: string, bare?: Unit): number | undefined {
  if (/^\d{1,15}$/.test(text) && (bare !== undefined || Number(text) === 0)) {
    return Number(text) * (bare === undefined ? 0 : UNITS[bare])
  }
  if (!DURATION.test(text)) return undefined
  return [...text.matchAll(PARTS)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * UNITS[unit as Unit],
    0,
  )
}

/** Formats a duration in the largest unit that gives a whole number, such as `10s`, `500ms` or `2m`. */
export function format(ms: number): string {
  if (ms === 0) return '0s'
  const unit = (['h', 'm', 's'] as const).find((one) => ms % UNITS[one] === 0) ?? 'ms'
  return `${ms / UNITS[unit]}${unit}`
}
