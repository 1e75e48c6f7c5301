import { type InventedParts, Plain } from '@firn/evm/testing'
import type { MetricName } from '../metrics/Metrics.ts'

/**
 * Reference implementation of the metrics. It calculates each value from the JSON of all blocks. For tests
 * only.
 */

type Interval = 'hour' | 'day' | 'week' | 'month'
type Number64 = number | bigint

const DAY = 86_400

type Who = 'addresses' | 'senders' | 'deployers'

/** Block data that metrics use. */
interface Seen {
  readonly creations: number
  readonly active: Readonly<Record<Who, readonly string[]>>
  readonly time: number
  readonly ms: number | undefined
  readonly receipts: readonly { readonly gasUsed: string; readonly effectiveGasPrice: string }[]
}

function see(parts: InventedParts): Seen {
  const { timestamp, timestampMilliseconds } = parts.block
  const plain = parts as unknown as Plain.PlainParts
  return {
    creations: Plain.creations(plain).filter((line) => line.endsWith(' true')).length,
    active: Plain.activity(plain) as Seen['active'],
    time: Number(timestamp),
    ms: timestampMilliseconds === undefined ? undefined : Number(timestampMilliseconds),
    receipts: parts.receipts as Seen['receipts'],
  }
}

function startOf(interval: Interval, time: number): number {
  const date = new Date(time * 1000)
  date.setUTCMinutes(0, 0, 0)
  if (interval !== 'hour') date.setUTCHours(0)
  while (interval === 'week' && date.getUTCDay() !== 1) date.setUTCDate(date.getUTCDate() - 1)
  if (interval === 'month') date.setUTCDate(1)
  return date.getTime() / 1000
}

function endOf(interval: Interval, start: number): number {
  const lengths = { hour: 3_600, day: DAY, week: 7 * DAY }
  if (interval !== 'month') return start + lengths[interval]
  const date = new Date(start * 1000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / 1000
}

const gasOf = ({ receipts }: Seen) => receipts.reduce((all, one) => all + BigInt(one.gasUsed), 0n)
const transactionsOf = ({ receipts }: Seen) => BigInt(receipts.length)
const millisecondsOf = ({ ms, time }: Seen) => ms ?? 1000 * time
const sum = (values: readonly bigint[]) => values.reduce((all, one) => all + one, 0n)
const prices = (blocks: readonly Seen[]) =>
  blocks.flatMap(({ receipts }) => receipts.map((one) => BigInt(one.effectiveGasPrice)))

function distinct(blocks: readonly Seen[], who: Who): bigint {
  return BigInt(new Set(blocks.flatMap(({ active }) => active[who])).size)
}

/**
 * Returns the highest rate per second of the blocks in `within`. A rate needs a previous block, so the
 * chain's first block has none.
 */
function fastest(all: readonly Seen[], within: readonly Seen[], of: (block: Seen) => bigint): number {
  const rates = within.map((block) => {
    const before = all[all.indexOf(block) - 1]
    if (before === undefined) return 0
    const hasBoth = before.ms !== undefined && block.ms !== undefined
    const seconds = hasBoth ? ((block.ms as number) - (before.ms as number)) / 1000 : block.time - before.time
    return Number(of(block)) / (seconds === 0 ? 1 : seconds)
  })
  return Math.max(0, ...rates)
}

function average(all: readonly Seen[], within: readonly Seen[], of: (block: Seen) => bigint): number {
  const [first, last] = [within[0], within.at(-1)]
  if (first === undefined || last === undefined) return 0
  const before = all[all.indexOf(first) - 1]
  const [from, counted] = before === undefined ? [first, within.slice(1)] : [before, within]
  const seconds = (millisecondsOf(last) - millisecondsOf(from)) / 1000
  return Number(sum(counted.map(of))) / (seconds === 0 ? 1 : seconds)
}

function reckon(metric: MetricName, all: readonly Seen[], from: number, to: number): Number64 {
  const within = all.filter(({ time }) => time >= from && time < to)
  const until = all.filter(({ time }) => time < to)
  const creations = (blocks: readonly Seen[]) => sum(blocks.map((block) => BigInt(block.creations)))
  switch (metric) {
    case 'activeAddresses':
      return distinct(within, 'addresses')
    case 'activeSenders':
      return distinct(within, 'senders')
    case 'deployers':
      return distinct(within, 'deployers')
    case 'cumulativeAddresses':
      return distinct(until, 'addresses')
    case 'cumulativeDeployers':
      return distinct(until, 'deployers')
    case 'contracts':
      return creations(within)
    case 'cumulativeContracts':
      return creations(all.filter(({ time }) => time < from))
    case 'txCount':
      return sum(within.map(transactionsOf))
    case 'cumulativeTxCount':
      return sum(until.map(transactionsOf))
    case 'gasUsed':
      return sum(within.map(gasOf))
    case 'feesPaid':
      return sum(
        within.flatMap(({ receipts }) =>
          receipts.map((one) => BigInt(one.gasUsed) * BigInt(one.effectiveGasPrice)),
        ),
      )
    case 'avgGasPrice':
      return Number(sum(prices(within))) / Math.max(1, prices(within).length)
    case 'maxGasPrice':
      return (
        prices(within)
          .toSorted((one, other) => Number(one - other))
          .at(-1) ?? 0n
      )
    case 'avgGps':
      return average(all, within, gasOf)
    case 'avgTps':
      return average(all, within, transactionsOf)
    case 'maxGps':
      return fastest(all, within, gasOf)
    case 'maxTps':
      return fastest(all, within, transactionsOf)
  }
}

/** Metrics of a chain, calculated from its blocks' JSON. */
export interface PlainMetrics {
  /**
   * Returns the start times of all periods within a range, newest first. The periods cover the time from the
   * first to the last block.
   */
  starts(interval: Interval, range: { readonly from: number; readonly until: number }): number[]
  /** Returns the value of a metric for the period that starts at `start`. */
  value(metric: MetricName, interval: Interval, start: number): Number64
  /** Returns the value of a metric over all blocks since `from` (Unix seconds). */
  since(metric: MetricName, from: number): Number64
}

/** Returns the metrics of a chain that has at least one block. For tests only. */
export function plainMetrics(blocks: readonly InventedParts[]): PlainMetrics {
  const seen = blocks.map(see)
  return {
    starts: (interval, { from, until }) => {
      const starts: number[] = []
      const last = seen.at(-1)?.time ?? 0
      for (let start = startOf(interval, seen[0]?.time ?? 1); start <= last; start = endOf(interval, start)) {
        if (start >= from && start < until) starts.unshift(start)
      }
      return starts
    },
    value: (metric, interval, start) => reckon(metric, seen, start, endOf(interval, start)),
    since: (metric, from) => reckon(metric, seen, from, Number.POSITIVE_INFINITY),
  }
}
