import type { EvmMetrics } from '@firn/store/evm'

/** Totals over the blocks of a period. */
type Period = Omit<EvmMetrics.Together, 'before'> &
  Partial<Readonly<Record<'new_addresses' | 'new_deployers', bigint>>>

/** Metric totals of one chain for one period. */
export interface Sums {
  /** Totals of the period; undefined if no block is in the period. */
  readonly row: Period | undefined
  /** Totals of all blocks before the period. Only daily metrics use them. */
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
  if (row === undefined) return 0
  const isFirst = before.lastMilliseconds === null
  const elapsed = row.last_milliseconds - (before.lastMilliseconds ?? first.milliseconds)
  return Number(isFirst ? amount - ofFirst : amount) / (elapsed > 0n ? Number(elapsed) / 1000 : 1)
}

/** Returns the mean gas price over all transactions of all chains. */
function meanPrice(chains: readonly Sums[]): number {
  const transactions = sum(({ row }) => row?.transactions)(chains)
  return transactions === 0n ? 0 : Number(sum(({ row }) => row?.gas_price_sum)(chains)) / Number(transactions)
}

const any = { isDaily: false, isTraced: false }
const daily = { isDaily: true, isTraced: false }
const traced = { isDaily: true, isTraced: true }

/** All metrics of the Metrics API. The README describes each of them. */
export const METRICS = {
  activeAddresses: { ...any, value: sum(({ row }) => row?.addresses) },
  activeSenders: { ...any, value: sum(({ row }) => row?.senders) },
  cumulativeTxCount: {
    ...daily,
    value: sum(({ row, before }) => before.transactions + (row?.transactions ?? 0n)),
  },
  cumulativeAddresses: {
    ...daily,
    value: sum(({ row, before }) => before.addresses + (row?.new_addresses ?? 0n)),
  },
  cumulativeContracts: { ...traced, value: sum(({ before }) => before.creations) },
  cumulativeDeployers: {
    ...traced,
    value: sum(({ row, before }) => before.deployers + (row?.new_deployers ?? 0n)),
  },
  gasUsed: { ...any, value: sum(({ row }) => row?.gas) },
  txCount: { ...any, value: sum(({ row }) => row?.transactions) },
  avgGps: {
    ...daily,
    value: rate(
      ({ row }) => row?.gas ?? 0n,
      ({ gas }) => gas,
    ),
  },
  maxGps: { ...daily, value: greatest(({ row }) => row?.max_gas_per_second) },
  avgTps: {
    ...daily,
    value: rate(
      ({ row }) => row?.transactions ?? 0n,
      ({ transactions }) => transactions,
    ),
  },
  maxTps: { ...daily, value: greatest(({ row }) => row?.max_transactions_per_second) },
  avgGasPrice: { ...daily, value: meanPrice },
  maxGasPrice: { ...daily, value: greatest(({ row }) => row?.gas_price_max) },
  feesPaid: { ...any, value: sum(({ row }) => row?.fees) },
  contracts: { ...traced, value: sum(({ row }) => row?.creations) },
  deployers: { ...traced, value: sum(({ row }) => row?.deployers) },
} satisfies Readonly<Record<string, Metric>>

export type MetricName = keyof typeof METRICS

export const METRIC_NAMES = Object.keys(METRICS) as readonly MetricName[]
