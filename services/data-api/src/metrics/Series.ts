import { Periods } from '@firn/evm'
import { EvmMetrics, EvmRetention } from '@firn/evm-store'
import type { EvmChainSource } from '../evm/chain/EvmContext.ts'
import { evmSnapshots } from '../evm/chain/evmSnapshots.ts'
import { latestOf } from '../http/endpoint/List.ts'
import type { First, Metric, Sums, Value } from './Metrics.ts'

/** Parameters of {@link read}. */
export interface SeriesRequest {
  readonly metric: Metric
  readonly interval: Periods.Period
  /**
   * Lower bound of the points' start times in Unix seconds (inclusive). If undefined, the oldest point is the period
   * of the first block.
   */
  readonly from: bigint | undefined
  /**
   * Upper bound of the points' start times in Unix seconds (exclusive). If undefined, the newest point is the period
   * of the newest block.
   */
  readonly until: bigint | undefined
  /** Maximum number of points. */
  readonly limit: number
}

/** One value of a metric, for the period that starts at `start` (Unix seconds). */
export interface Point {
  readonly start: bigint
  readonly value: Value
}

/** A page of points, newest first. */
export interface Series {
  readonly points: readonly Point[]
  /** Whether older points exist. */
  readonly hasMore: boolean
  /** Start of the first kept hour of all chains in Unix seconds, for points per hour; undefined if all hours are kept. */
  readonly completeFrom: bigint | undefined
  /** Time of the newest block of all chains, in Unix seconds; 0 if no chain has a block. */
  readonly time: bigint
}

/** A chain with the times of its first and last block. */
export interface Chain {
  readonly source: EvmChainSource
  readonly first: First
  readonly from: bigint
  readonly to: bigint
}

/**
 * Returns the points of a metric over several chains together, one for each period from the first to the
 * newest block. The newest period is incomplete, so its value can still change. Chains without blocks
 * contribute nothing.
 */
export async function read(
  sources: readonly EvmChainSource[],
  request: SeriesRequest,
  signal: AbortSignal,
): Promise<Series> {
  const chains = await spans(sources, signal)
  if (chains.length === 0) return { points: [], hasMore: false, completeFrom: undefined, time: 0n }
  const { interval, limit, metric } = request
  const time = greatest(chains.map(({ to }) => to))
  const oldest = oldestOf(interval, least(chains.map(({ from }) => from)), request.from)
  const starts: bigint[] = []
  let start = Periods.startOf(interval, newestTime(time, request.until))
  while (start >= oldest && starts.length <= limit) {
    starts.push(start)
    start = Periods.startOf(interval, start - 1n)
  }
  const hasMore = starts.length > limit
  const page = starts.slice(0, limit).reverse()
  const sums = await Promise.all(chains.map((chain) => sumsOf(chain, interval, page, metric, signal)))
  const points = page.map((at, i) => ({ start: at, value: metric.value(sums.map((one) => one[i] as Sums)) }))
  // Hours may be removed while they are read. Their points would be 0.
  const completeFrom = interval === 'hour' ? await hoursFrom(chains) : undefined
  const kept = points.filter(({ start }) => completeFrom === undefined || start >= completeFrom)
  return { points: kept.reverse(), hasMore: hasMore && kept.length === points.length, completeFrom, time }
}

/** Returns the time from which on the totals per hour of all chains are kept; undefined if none were removed. */
async function hoursFrom(chains: readonly Chain[]): Promise<bigint | undefined> {
  const each = await Promise.all(chains.map(({ source }) => EvmRetention.hoursFrom(source.store)))
  const some = each.filter((time) => time !== undefined)
  return some.length === 0 ? undefined : greatest(some)
}

/** Returns the given chains that have at least one block, with the times of their first and last block. */
export async function spans(
  sources: readonly EvmChainSource[],
  signal: AbortSignal,
): Promise<readonly Chain[]> {
  return (await Promise.all(sources.map((source) => begin(source, signal)))).flat()
}

async function begin(source: EvmChainSource, signal: AbortSignal): Promise<Chain[]> {
  const { store } = source
  const block = await EvmMetrics.firstBlock(store)
  if (block === undefined) return []
  const { time: to } = await store.snapshot(signal)
  const { time, time_milliseconds: milliseconds, transactions, gas_executed: gas } = block
  const first = { milliseconds: milliseconds ?? 1000n * time, transactions: BigInt(transactions), gas }
  return [{ source, first, from: time, to }]
}

/**
 * Returns a time within the newest requested period: `last`, or one second before `until` if that is earlier.
 */
function newestTime(last: bigint, until: bigint | undefined): bigint {
  return until === undefined || until > last ? last : until - 1n
}

/** Returns the start of the oldest requested period. */
function oldestOf(interval: Periods.Period, first: bigint, from: bigint | undefined): bigint {
  const oldest = Periods.startOf(interval, first)
  if (from === undefined || from <= oldest) return oldest
  const start = Periods.startOf(interval, from)
  return start === from ? start : Periods.next(interval, start)
}

const NOTHING: EvmMetrics.Before = {
  transactions: 0n,
  creations: 0n,
  addresses: 0n,
  deployers: 0n,
  lastMilliseconds: null,
}

/** Returns a chain's metric totals for consecutive periods. */
async function sumsOf(
  { source: { store }, first }: Chain,
  interval: Periods.Period,
  starts: readonly bigint[],
  { columns, usesBefore }: Metric,
  signal: AbortSignal,
): Promise<readonly Sums[]> {
  const [from, to] = [starts[0], starts.at(-1)]
  if (from === undefined || to === undefined) return []
  // Both statements must read the same blocks, so both are repeated after a reorg.
  const { rows, initial } = await latestOf(evmSnapshots(store), signal, async () => ({
    rows: await EvmMetrics.rollups(store, interval, { from, to }, columns),
    initial: usesBefore ? await EvmMetrics.beforeDay(store, from) : NOTHING,
  }))
  let before = initial
  let next = 0
  return starts.map((start) => {
    const row = rows[next]?.start === start ? (rows[next++] as Sums['row']) : undefined
    const sums = { row, before, first }
    if (usesBefore && row !== undefined) before = after(before, row)
    return sums
  })
}

/** Adds the totals of a period. Those that the metric does not use are missing, and stay as they are. */
function after(before: EvmMetrics.Before, row: NonNullable<Sums['row']>): EvmMetrics.Before {
  return {
    transactions: before.transactions + (row.transactions ?? 0n),
    creations: before.creations + (row.creations ?? 0n),
    addresses: before.addresses + (row.new_addresses ?? 0n),
    deployers: before.deployers + (row.new_deployers ?? 0n),
    lastMilliseconds: row.last_milliseconds ?? before.lastMilliseconds,
  }
}

function least(values: readonly bigint[]): bigint {
  return values.toSorted(ascending)[0] ?? 0n
}

/** Returns the largest number, or 0 for an empty list. */
export function greatest(values: readonly bigint[]): bigint {
  return values.toSorted(ascending).at(-1) ?? 0n
}

function ascending(one: bigint, other: bigint): number {
  return Number(one - other)
}
