/** The periods of metrics, in UTC; weeks start on Monday. */
export const PERIODS = ['hour', 'day', 'week', 'month'] as const
export type Period = (typeof PERIODS)[number]

const HOUR = 3_600n
const DAY = 24n * HOUR
const WEEK = 7n * DAY
/** 1970-01-01 was a Thursday: the Monday before it. */
const MONDAY = -3n * DAY

/** Returns the start of the period that contains `time`. Unix seconds, within the range of `Date`. */
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

/** Returns the start of the period after the one that starts at `start`. Unix seconds. */
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

/** Returns the non-negative remainder. */
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
