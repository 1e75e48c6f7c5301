import type { EvmMetrics } from '@firn/store/evm'

/** The sums over the blocks of a period, as far as a metric needs only that period. */
type Period = Omit<EvmMetrics.Together, 'before'> &
  Partial<Readonly<Record<'new_addresses' | 'new_deployers', bigint>>>

/** A chain's sums of one period. */
export interface Sums {
  /** Undefined where the period has no block. */
  readonly row: Period | undefined
  /** The sums before the period; for days only. */
  readonly before: EvmMetrics.Before
  /** The chain's first block, which has no predecessor and so no rate. */
  readonly first: First
}

/** Facts of a chain's first block. */
export interface First {
  /** Unix milliseconds. */
  readonly milliseconds: bigint
  readonly transactions: bigint
  readonly gas: bigint
}

/** The value of one point: exact, of any size. */
export type Value = number | bigint

/** How a metric is calculated from the sums of one period, of one or more chains. */
export interface Metric {
  readonly value: (chains: readonly Sums[]) => Value
  /** Whether days are its only interval. */
  readonly isDaily: boolean
  /** Whether it exists only for chains whose nodes trace. */
  readonly isTraced: boolean
}

type Of<T> = (sums: Sums) => T

/** Sums over chains; 0 where there is no block. */
const sum = (of: Of<bigint | undefined>) => (chains: readonly Sums[]) =>
  chains.reduce((all, one) => all + (of(one) ?? 0n), 0n)

const greatest = (of: Of<Value | null | undefined>) => (chains: readonly Sums[]) =>
  chains.reduce<Value>((most, one) => {
    const value = of(one) ?? 0
    if (value <= most) return most
    return value
  }, 0)

/** Rates of several chains at the same time are added. */
const rate = (of: Of<bigint>, ofFirst: (first: First) => bigint) => (chains: readonly Sums[]) =>
  chains.reduce((all, one) => all + average(one, of(one), ofFirst(one.first)), 0)

/**
 * Average from the last block before the period to its own last one; in a chain's first period, from its
 * first block.
 */
function average({ row, before, first }: Sums, amount: bigint, ofFirst: bigint): number {
  if (row === undefined) return 0
  const isFirst = before.lastMilliseconds === null
  const elapsed = row.last_milliseconds - (before.lastMilliseconds ?? first.milliseconds)
  return Number(isFirst ? amount - ofFirst : amount) / (elapsed > 0n ? Number(elapsed) / 1000 : 1)
}

/** The mean over all transactions of all chains. */
function meanPrice(chains: readonly Sums[]): number {
  const transactions = sum(({ row }) => row?.transactions)(chains)
  return transactions === 0n ? 0 : Number(sum(({ row }) => row?.gas_price_sum)(chains)) / Number(transactions)
}

const any = { isDaily: false, isTraced: false }
const daily = { isDaily: true, isTraced: false }
const traced = { isDaily: true, isTraced: true }

/** The metrics of the Metrics API; the README explains their meaning. */
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
