import type { EvmMetrics } from '@firn/evm-store'

/** Name of a total that metrics use. */
type Column = Exclude<EvmMetrics.RollupColumn, 'blocks'>

/** Totals over the blocks of a period; at least those in {@link Metric.columns}. */
type Period = Partial<Pick<EvmMetrics.RollupRow, Column>>

/** Metric totals of one chain for one period. */
export interface Sums {
  /** Totals of the period; undefined if no block is in the period. */
  readonly row: Period | undefined
  /** Totals of all blocks before the period, for metrics that use them. */
  readonly before: EvmMetrics.Before
  /** The chain's first block. Rates exclude it, because it has no previous block. */
  readonly first: First
}

/** Data of a chain's first block. */
export interface First {
  /** Time of the block, in Unix milliseconds. */
  readonly milliseconds: bigint
  readonly transactions: bigint
  readonly gas: bigint
}

/** Value of one point. A `bigint` is exact at any size. */
export type Value = number | bigint

/** Definition of a metric: how its value follows from the totals of one or more chains for one period. */
export interface Metric {
  readonly value: (chains: readonly Sums[]) => Value
  /** The totals of a period that the value is computed from. */
  readonly columns: readonly Column[]
  /** Whether the value depends on the blocks before the period, too. */
  readonly usesBefore: boolean
  /** Whether the metric has only daily values. */
  readonly isDaily: boolean
  /** Whether the metric requires traces. */
  readonly isTraced: boolean
}

type Of<T> = (sums: Sums) => T

/** Adds up a value over all chains. An undefined value counts as 0. */
const sum = (of: Of<bigint | undefined>) => (chains: readonly Sums[]) =>
  chains.reduce((all, one) => all + (of(one) ?? 0n), 0n)

const greatest = (of: Of<Value | null | undefined>) => (chains: readonly Sums[]) =>
  chains.reduce<Value>((most, one) => {
    const value = of(one) ?? 0
    if (value <= most) return most
    return value
  }, 0)

/** Adds up the rates of several chains. */
const rate = (of: Of<bigint>, ofFirst: (first: First) => bigint) => (chains: readonly Sums[]) =>
  chains.reduce((all, one) => all + average(one, of(one), ofFirst(one.first)), 0)

/**
 * Returns the rate per second from the last block before the period to the last block of the period. In a chain's
 * first period, the rate starts at the chain's first block and excludes the amount of this block.
 */
function average({ row, before, first }: Sums, amount: bigint, ofFirst: bigint): number {
  if (row?.last_milliseconds === undefined) return 0
  const isFirst = before.lastMilliseconds === null
  const elapsed = row.last_milliseconds - (before.lastMilliseconds ?? first.milliseconds)
  return Number(isFirst ? amount - ofFirst : amount) / (elapsed > 0n ? Number(elapsed) / 1000 : 1)
}

/** Returns the mean gas price over all transactions of all chains. */
function meanPrice(chains: readonly Sums[]): number {
  const transactions = sum(({ row }) => row?.transactions)(chains)
  return transactions === 0n ? 0 : Number(sum(({ row }) => row?.gas_price_sum)(chains)) / Number(transactions)
}

const any = { usesBefore: false, isDaily: false, isTraced: false }
const daily = { ...any, isDaily: true }
const traced = { ...daily, isTraced: true }

/** Value of a metric that adds up a total. */
const total = (
  column: 'addresses' | 'senders' | 'gas' | 'transactions' | 'fees' | 'creations' | 'deployers',
) => ({
  columns: [column],
  value: sum(({ row }) => row?.[column]),
})

/** Value of a metric that is the greatest of a column. */
const peak = (column: 'max_gas_per_second' | 'max_transactions_per_second' | 'gas_price_max') => ({
  columns: [column],
  value: greatest(({ row }) => row?.[column]),
})

/** Value of a metric that adds a total to the total of all blocks before the period. */
const cumulative = (
  column: 'transactions' | 'new_addresses' | 'new_deployers',
  ofBefore: 'transactions' | 'addresses' | 'deployers',
) => ({
  columns: [column],
  usesBefore: true,
  value: sum(({ row, before }) => before[ofBefore] + (row?.[column] ?? 0n)),
})

/** All metrics of the Metrics API. The README describes each of them. */
export const METRICS = {
  activeAddresses: { ...any, ...total('addresses') },
  activeSenders: { ...any, ...total('senders') },
  cumulativeTxCount: { ...daily, ...cumulative('transactions', 'transactions') },
  cumulativeAddresses: { ...daily, ...cumulative('new_addresses', 'addresses') },
  cumulativeContracts: {
    ...traced,
    columns: ['creations'],
    usesBefore: true,
    value: sum(({ before }) => before.creations),
  },
  cumulativeDeployers: { ...traced, ...cumulative('new_deployers', 'deployers') },
  gasUsed: { ...any, ...total('gas') },
  txCount: { ...any, ...total('transactions') },
  avgGps: {
    ...daily,
    columns: ['gas', 'last_milliseconds'],
    usesBefore: true,
    value: rate(
      ({ row }) => row?.gas ?? 0n,
      ({ gas }) => gas,
    ),
  },
  maxGps: { ...daily, ...peak('max_gas_per_second') },
  avgTps: {
    ...daily,
    columns: ['transactions', 'last_milliseconds'],
    usesBefore: true,
    value: rate(
      ({ row }) => row?.transactions ?? 0n,
      ({ transactions }) => transactions,
    ),
  },
  maxTps: { ...daily, ...peak('max_transactions_per_second') },
  avgGasPrice: { ...daily, columns: ['transactions', 'gas_price_sum'], value: meanPrice },
  maxGasPrice: { ...daily, ...peak('gas_price_max') },
  feesPaid: { ...any, ...total('fees') },
  contracts: { ...traced, ...total('creations') },
  deployers: { ...traced, ...total('deployers') },
} satisfies Readonly<Record<string, Metric>>

export type MetricName = keyof typeof METRICS

export const METRIC_NAMES = Object.keys(METRICS) as readonly MetricName[]
