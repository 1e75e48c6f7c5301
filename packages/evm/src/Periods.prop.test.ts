import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { next, PERIODS, type Period, startOf } from './Periods.ts'

const unix = (text: string) => BigInt(Date.parse(text) / 1000)

/**
 * Returns the start of a period by stepping back hour by hour until the calendar reports a start. Stepping by
 * seconds would take too long.
 */
function plainStart(period: Period, time: bigint): bigint {
  let date = new Date(Number(time - (((time % 3600n) + 3600n) % 3600n)) * 1000)
  const isStart = () =>
    period === 'hour' ||
    (date.getUTCHours() === 0 &&
      (period === 'day' || (period === 'week' ? date.getUTCDay() === 1 : date.getUTCDate() === 1)))
  while (!isStart()) date = new Date(date.getTime() - 3_600_000)
  return BigInt(date.getTime() / 1000)
}

describe.each(PERIODS)('%s', (period) => {
  test('returns the period starts of the calendar, and leaves no gaps between periods', () => {
    fc.assert(
      fc.property(fc.bigInt(-100_000_000n, 8_000_000_000n), (time) => {
        const start = startOf(period, time)
        expect(start).toBe(plainStart(period, time))
        expect(startOf(period, start)).toBe(start)
        const end = next(period, start)
        expect(end).toBeGreaterThan(time)
        expect(startOf(period, end)).toBe(end)
        expect(startOf(period, end - 1n)).toBe(start)
      }),
    )
  })
})

test.each([
  ['hour', '2024-02-29T23:59:59Z', '2024-02-29T23:00:00Z', '2024-03-01T00:00:00Z'],
  ['day', '2024-02-29T23:59:59Z', '2024-02-29T00:00:00Z', '2024-03-01T00:00:00Z'],
  ['week', '2024-03-03T23:59:59Z', '2024-02-26T00:00:00Z', '2024-03-04T00:00:00Z'],
  ['week', '1970-01-01T00:00:00Z', '1969-12-29T00:00:00Z', '1970-01-05T00:00:00Z'],
  ['month', '2024-02-29T23:59:59Z', '2024-02-01T00:00:00Z', '2024-03-01T00:00:00Z'],
  ['month', '2023-12-31T23:59:59Z', '2023-12-01T00:00:00Z', '2024-01-01T00:00:00Z'],
] as const)('returns the start and the end of the %s that contains %s', (period, time, start, end) => {
  expect(startOf(period, unix(time))).toBe(unix(start))
  expect(next(period, unix(start))).toBe(unix(end))
})
