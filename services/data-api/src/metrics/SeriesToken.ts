import { Periods } from '@firn/evm'
import { DataApiError } from '../DataApiError.ts'
import { behind } from '../front/behind.ts'
import type { UuidTokens } from './UuidTokens.ts'

/**
 * The content of a token of a list of points: enough to continue without any other parameter. Unix seconds.
 */
export interface Kept {
  readonly interval: Periods.Period
  readonly from: bigint | undefined
  /** The start of the last listed point. */
  readonly until: bigint
}

/** The parameters of a request besides its token. */
export interface Given {
  readonly interval: Periods.Period | undefined
  readonly from: bigint | undefined
  readonly pageToken: string | undefined
}

/**
 * Returns where a request's token continues; undefined where the list starts: without a token, or with one of
 * another list or day.
 * @throws DataApiError `DATA_PAGE_TOKEN`: not a UUID, or another interval or start than that of the first
 * page
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

/** Returns the token of the next page. */
export function seal(tokens: UuidTokens, name: string, kept: Kept): string {
  return tokens.seal(name, stateOf(kept))
}

/**
 * Asserts that a replica whose newest block is at `time`, Unix seconds, has all of the points that a list
 * continues with: its last page ended with a point that had started by then, so that those before it were
 * complete.
 * @throws DataApiError `DATA_UNAVAILABLE`
 */
export function assertReached(kept: Kept | undefined, time: bigint): void {
  if (kept === undefined || kept.until <= time) return
  throw behind('pageToken', `points before ${kept.until}`, `time ${time}`)
}

/** Returns the earlier end of a token and a parameter. */
export function least(one: bigint | undefined, other: bigint | undefined): bigint | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return one < other ? one : other
}

function assertSame(name: string, given: unknown, kept: unknown): void {
  if (given === undefined || given === kept) return
  throw new DataApiError(
    'DATA_PAGE_TOKEN',
    `pageToken: expected ${name} as on the list's first page, got another`,
  )
}

const HOUR = 3_600n
/** Up to the end of the calendar. */
const END_BITS = 32n
/** Up to the year 9600; no list starts later. */
const BEGIN_BITS = 26n
const INTERVAL_BITS = 2n
/** Hours before 1970 in which a period with a block can start. */
const EARLIER = 24n * 31n

/**
 * Returns the first hour that is not before a time: periods start with hours, so nothing more needs to be
 * stored.
 */
function hours(time: bigint): bigint {
  return (time + HOUR - 1n) / HOUR
}

function stateOf({ interval, from, until }: Kept): bigint {
  // 0 means none; the end is a period's start, and may be before 1970.
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
