import { Periods } from '@firn/evm'
import * as Schema from '../http/endpoint/Schema.ts'

/**
 * Rolling windows, each with a period, a number of periods and a description. A window ends with the period that contains
 * the newest block. `allTime` covers all blocks.
 */
export const WINDOWS = {
  lastHour: ['hour', 1n, 'of the last hour'],
  lastDay: ['hour', 24n, 'of the last 24 hours'],
  lastWeek: ['day', 7n, 'of the last 7 days'],
  lastMonth: ['day', 30n, 'of the last 30 days'],
  last90Days: ['day', 90n, 'of the last 90 days'],
  lastYear: ['day', 365n, 'of the last 365 days'],
  allTime: ['all', undefined, 'of all blocks'],
} as const
type Window = (typeof WINDOWS)[keyof typeof WINDOWS]
export type WindowName = keyof typeof WINDOWS

const LENGTHS = { hour: 3_600n, day: 86_400n } as const

export const WINDOW_NAMES = Object.keys(WINDOWS) as readonly WindowName[]

/** Returns the schemas of the values of all windows. */
export function windowMembers(what: string): Schema.Members {
  const members = Object.entries(WINDOWS).map(([name, [, , when]]) => [
    name,
    Schema.number(`${what} ${when}`, 120),
  ])
  return Object.fromEntries(members)
}

/** Returns the start of a window's first period in Unix seconds. */
export function beginOf([period, count]: Window, time: bigint): bigint {
  return period === 'all' ? 0n : Periods.startOf(period, time) - (count - 1n) * LENGTHS[period]
}
