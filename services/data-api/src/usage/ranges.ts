import type { ApiUsage } from '@firn/service-store'
import * as Parameter from '../http/endpoint/Parameter.ts'

const HOUR = 3_600n
const DAY = 86_400n

/** Maximum number of intervals in one answer. If no start is given, the range has this length. */
const MOST_INTERVALS = 1_000n
/** Maximum length of a range in seconds. Every month counts as 31 days. */
const LONGEST: { readonly [I in ApiUsage.Interval]: bigint } = {
  minute: 4n * DAY,
  hourly: MOST_INTERVALS * HOUR,
  daily: MOST_INTERVALS * DAY,
  weekly: MOST_INTERVALS * 7n * DAY,
  monthly: MOST_INTERVALS * 31n * DAY,
}
/** Length of a range without a start, if it is not the maximum. */
const USUAL: { readonly [I in ApiUsage.Interval]?: bigint } = { minute: DAY }

/** A time range in Unix seconds. The end is not included. */
export interface Range {
  readonly from: bigint
  readonly to: bigint
}

/** The range parameters of a request. */
export interface Asked {
  readonly startTimestamp: bigint | undefined
  readonly endTimestamp: bigint | undefined
}

/**
 * Returns the time range from the start's day to the end's day (exclusive). Without a start, the range is as long as
 * possible, or one day for minutes; without an end, it ends now.
 * @throws DataApiError `DATA_PARAMETER`
 */
export function rangeOf(asked: Asked, interval: ApiUsage.Interval, now: () => number): Range {
  const { startTimestamp: start } = asked
  const to = endOf(asked, now)
  const most = LONGEST[interval]
  const longest = USUAL[interval] ?? most
  const from = start === undefined ? firstDay(to, longest) : dayOf(start)
  if (interval === 'minute' && from < oldestMinute(now))
    throw Parameter.refused(
      'startTimestamp',
      'one of the last 4 days, for which minutes are counted',
      'an earlier day',
    )
  if (to - from > most)
    throw Parameter.refused('startTimestamp', `at most ${MOST_INTERVALS} intervals`, 'a longer range')
  return { from, to }
}

function firstDay(to: bigint, longest: bigint): bigint {
  return to > longest ? dayOf(to - longest + DAY - 1n) : 0n
}

function oldestMinute(now: () => number): bigint {
  return dayOf(BigInt(Math.floor(now() / 1000))) - 3n * DAY
}

/**
 * Returns the end of a range: the start of the day of `endTimestamp`, or now.
 * @throws DataApiError `DATA_PARAMETER` if the start is later
 */
export function endOf({ startTimestamp: start, endTimestamp: end }: Asked, now: () => number): bigint {
  if (start !== undefined && end !== undefined && start > end) {
    throw Parameter.refused('startTimestamp', 'a time up to endTimestamp', 'a later time')
  }
  return end === undefined ? BigInt(Math.floor(now() / 1000)) : dayOf(end)
}

/** Returns the start of the day that contains a time. */
export function dayOf(time: bigint): bigint {
  return time - (time % DAY)
}

/** Returns the length in seconds of the interval that starts at `begin`. */
export function secondsOf(begin: bigint, interval: ApiUsage.Interval): number {
  if (interval !== 'monthly') return SECONDS[interval]
  const date = new Date(Number(begin) * 1000)
  return (Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) - date.getTime()) / 1000
}

const SECONDS = { minute: 60, hourly: 3_600, daily: 86_400, weekly: 604_800 } as const
