import { Periods } from '@firn/evm'
import { DataApiError } from '../DataApiError.ts'
import type { EvmContext } from '../evm/EvmContext.ts'
import * as Parameter from '../front/Parameter.ts'
import { METRICS, type MetricName } from './Metrics.ts'
import { type Aggregate, chainsWith } from './metricsChains.ts'
import * as Series from './Series.ts'
import type { UuidTokens } from './UuidTokens.ts'

/** What is asked for, as the parameters say it. */
export interface Asked {
  readonly chainId: bigint | Aggregate
  readonly metric: MetricName
  readonly interval: Periods.Period | undefined
  readonly from: bigint | undefined
  readonly until: bigint | undefined
  readonly pageToken: string | undefined
  readonly limit: number
}

/** A page of a metric, and the token of the next one where there is one. */
export interface Page extends Series.Series {
  readonly nextPageToken: string | undefined
}

/** What a token keeps: enough to go on without any other parameter. */
interface Kept {
  readonly interval: Periods.Period
  readonly from: bigint | undefined
  readonly until: bigint
}

/**
 * The page that is asked for. A token that this service didn't give for the metric of the chain, or that is too old, gives the first
 * page.
 * @throws DataApiError `DATA_PARAMETER`, `DATA_PAGE_TOKEN`, `DATA_NOT_FOUND`
 */
export async function metricPage(
  context: EvmContext,
  tokens: UuidTokens,
  asked: Asked,
  signal: AbortSignal,
): Promise<Page> {
  const metric = METRICS[asked.metric]
  const served = chainsWith(context, asked.chainId, asked.metric)
  const name = JSON.stringify([asked.metric, String(asked.chainId)])
  const kept = keptOf(tokens, name, asked)
  const interval = kept?.interval ?? asked.interval ?? 'day'
  if (metric.isDaily && interval !== 'day') {
    throw Parameter.refused('timeInterval', `day for ${asked.metric}`, interval)
  }
  const from = kept === undefined ? asked.from : kept.from
  const until = least(kept?.until, asked.until)
  const series = await Series.read(served, { metric, interval, from, until, limit: asked.limit }, signal)
  const last = series.points.at(-1)
  const next = series.hasMore && last !== undefined ? { interval, from, until: last.start } : undefined
  return { ...series, nextPageToken: next && tokens.seal(name, stateOf(next)) }
}

function keptOf(tokens: UuidTokens, name: string, asked: Asked): Kept | undefined {
  if (asked.pageToken === undefined || asked.pageToken === '') return undefined
  const opened = tokens.open(asked.pageToken)
  if (!opened.isOf(name)) return undefined
  const kept = keptIn(opened.state)
  assertSame('timeInterval', asked.interval, kept.interval)
  assertSame(
    'startTimestamp',
    asked.from === undefined ? undefined : hours(asked.from),
    kept.from && hours(kept.from),
  )
  return kept
}

function assertSame(name: string, given: unknown, kept: unknown): void {
  if (given === undefined || given === kept) return
  throw new DataApiError(
    'DATA_PAGE_TOKEN',
    `pageToken: expected ${name} as the list began with it, got another`,
  )
}

const HOUR = 3_600n
/** To the end of the calendar. */
const END_BITS = 32n
/** To the year 9600; no list begins later. */
const BEGIN_BITS = 26n
const INTERVAL_BITS = 2n
/** Hours before 1970 in which a period can begin that has a block. */
const EARLIER = 24n * 31n

/** The first hour that is not before a time: periods start with hours, so that nothing more is to be kept. */
function hours(time: bigint): bigint {
  return (time + HOUR - 1n) / HOUR
}

function stateOf({ interval, from, until }: Kept): bigint {
  // 0 stands for none; the end is a period's start, and may be before 1970.
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

function least(one: bigint | undefined, other: bigint | undefined): bigint | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return one < other ? one : other
}
