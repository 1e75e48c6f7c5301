/** The periods of metrics, in UTC. Weeks start on Monday. */
export const PERIODS = ['hour', 'day', 'week', 'month'] as const
export type Period = (typeof PERIODS)[number]

const HOUR = 3_600n
const DAY = 24n * HOUR
const WEEK = 7n * DAY
/** Start of a week: the Monday before 1970-01-01, which was a Thursday. */
const MONDAY = -3n * DAY

/**
 * Returns the start of the period that contains `time`. Both are in Unix seconds, within the range of `Date`.
 *
 * @example
 * ```ts
 * import { Periods } from '@firn/evm'
 *
 * Periods.startOf('day', 1_767_312_000n + 7_200n) // 1767312000n
 * ```
 */
export function startOf(period: Period, time: bigint): bigint {
  switch (period) {
    case 'hour':
      return time - since(time, HOUR)
    case 'day':
      return time - since(time, DAY)
    case 'week':
      return time - since(time - MONDAY, WEEK)
    case 'month':
      return month(time, 0)
  }
}

/**
 * Returns the start of the next period, given the start of a period, in Unix seconds.
 *
 * @example
 * ```ts
 * import { Periods } from '@firn/evm'
 *
 * Periods.next('month', 1_767_225_600n) // 1769904000n
 * ```
 */
export function next(period: Period, start: bigint): bigint {
  switch (period) {
    case 'hour':
      return start + HOUR
    case 'day':
      return start + DAY
    case 'week':
      return start + WEEK
    case 'month':
      return month(start, 1)
  }
}

/** Returns the time since the last multiple of `length`. The result is never negative. */
function since(time: bigint, length: bigint): bigint {
  const rest = time % length
  return rest < 0n ? rest + length : rest
}

function month(time: bigint, later: number): bigint {
  const date = new Date(Number(time) * 1000)
  date.setUTCHours(0, 0, 0, 0)
  date.setUTCMonth(date.getUTCMonth() + later, 1)
  return BigInt(date.getTime()) / 1000n
}
