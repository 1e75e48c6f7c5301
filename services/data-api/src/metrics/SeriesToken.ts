import { Periods } from '@firn/evm'
import { behind } from '../http/endpoint/behind.ts'
import { DataApiError } from '../http/endpoint/DataApiError.ts'
import type { UuidTokens } from './UuidTokens.ts'

/**
 * Content of a page token for points of a metric. It is sufficient to read the next page. Times are Unix
 * seconds.
 */
export interface Kept {
  readonly interval: Periods.Period
  readonly from: bigint | undefined
  /** Start time of the last point on the previous page. */
  readonly until: bigint
}

/** Parameters of a request that are compared with its page token. */
export interface Given {
  readonly interval: Periods.Period | undefined
  readonly from: bigint | undefined
  readonly pageToken: string | undefined
}

/**
 * Returns the content of a page token. Returns undefined if the list must start from the beginning: without a
 * token, or with an expired or foreign token.
 * @throws DataApiError `DATA_PAGE_TOKEN` if the token is not a UUID, or if the interval or start time differs
 * from the first page
 */
export function open(tokens: UuidTokens, name: string, given: Given): Kept | undefined {
  if (given.pageToken === undefined || given.pageToken === '') return undefined
  const opened = tokens.open(given.pageToken)
  if (!opened.isOf(name)) return undefined
  const kept = keptIn(opened.state)
  assertSame('timeInterval', given.interval, kept.interval)
  const [asked, begun] = [given.from, kept.from].map((time) => (time === undefined ? undefined : hours(time)))
  assertSame('startTimestamp', asked, begun)
  return kept
}

/** Returns the page token of the next page. */
export function seal(tokens: UuidTokens, name: string, kept: Kept): string {
  return tokens.seal(name, stateOf(kept))
}

/**
 * Throws if this replica lacks blocks that the remaining points need. The previous page ended with the point
 * that starts at `kept.until`. If the newest block's `time` is at or after `kept.until`, all earlier points
 * are complete.
 * @throws DataApiError `DATA_UNAVAILABLE`
 */
export function assertReached(kept: Kept | undefined, time: bigint): void {
  if (kept === undefined || kept.until <= time) return
  throw behind('pageToken', `points before ${kept.until}`, `time ${time}`)
}

/** Returns the smaller of two limits. Undefined means that there is no limit. */
export function least(one: bigint | undefined, other: bigint | undefined): bigint | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return one < other ? one : other
}

function assertSame(name: string, given: unknown, kept: unknown): void {
  if (given === undefined || given === kept) return
  throw new DataApiError(
    'DATA_PAGE_TOKEN',
    `pageToken: ${name} differs from the first page of the list; send the same value or omit it`,
  )
}

const HOUR = 3_600n
/** Number of bits for the end time in hours. 32 bits cover every valid date. */
const END_BITS = 32n
/** Number of bits for the start time in hours. 26 bits last until the year 9600. */
const BEGIN_BITS = 26n
const INTERVAL_BITS = 2n
/**
 * Upper bound for the hours by which a period can start before 1970. The week that contains 1970-01-01 starts
 * earlier.
 */
const EARLIER = 24n * 31n

/** Rounds a time up to full hours. Every period starts at a full hour, so full hours are precise enough. */
function hours(time: bigint): bigint {
  return (time + HOUR - 1n) / HOUR
}

function stateOf({ interval, from, until }: Kept): bigint {
  // A stored start of 0 means that none was requested. The stored end may be a time before 1970.
  const begin = from === undefined ? 0n : BigInt.asUintN(Number(BEGIN_BITS), hours(from) + 1n)
  const end = until / HOUR + EARLIER
  return (((begin << END_BITS) | end) << INTERVAL_BITS) | BigInt(Periods.PERIODS.indexOf(interval))
}

function keptIn(state: bigint): Kept {
  const index = Number(BigInt.asUintN(Number(INTERVAL_BITS), state))
  const end = BigInt.asUintN(Number(END_BITS), state >> INTERVAL_BITS)
  const begin = state >> (INTERVAL_BITS + END_BITS)
  return {
    interval: Periods.PERIODS[index] ?? 'day',
    from: begin === 0n ? undefined : (begin - 1n) * HOUR,
    until: (end - EARLIER) * HOUR,
  }
}
