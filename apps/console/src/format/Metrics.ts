import type { GetEvmChainMetricsParameters } from '@firn/client'

export type MetricName = GetEvmChainMetricsParameters['metric']
export type Interval = NonNullable<GetEvmChainMetricsParameters['timeInterval']>

/** How a metric is shown. */
export interface Metric {
  readonly title: string
  /** Unit of the shown values; `token` stands for the symbol of the chain's token. */
  readonly unit: 'gwei' | 'token' | 'gas' | 'gas/s' | 'transactions/s' | ''
  /** Whether values exist for days only. */
  readonly isDaily: boolean
}

/** All metrics of the Metrics API. */
export const METRICS: Readonly<Record<MetricName, Metric>> = {
  txCount: { title: 'Transactions', unit: '', isDaily: false },
  activeAddresses: { title: 'Active addresses', unit: '', isDaily: false },
  activeSenders: { title: 'Active senders', unit: '', isDaily: false },
  gasUsed: { title: 'Gas used', unit: 'gas', isDaily: false },
  feesPaid: { title: 'Fees paid', unit: 'token', isDaily: false },
  avgTps: { title: 'Transactions per second, average', unit: 'transactions/s', isDaily: true },
  maxTps: { title: 'Transactions per second, highest', unit: 'transactions/s', isDaily: true },
  avgGps: { title: 'Gas per second, average', unit: 'gas/s', isDaily: true },
  maxGps: { title: 'Gas per second, highest', unit: 'gas/s', isDaily: true },
  avgGasPrice: { title: 'Gas price, average', unit: 'gwei', isDaily: true },
  maxGasPrice: { title: 'Gas price, highest', unit: 'gwei', isDaily: true },
  contracts: { title: 'New contracts', unit: '', isDaily: true },
  deployers: { title: 'Deployers', unit: '', isDaily: true },
  cumulativeTxCount: { title: 'Transactions since the first block', unit: '', isDaily: true },
  cumulativeAddresses: { title: 'Addresses since the first block', unit: '', isDaily: true },
  cumulativeContracts: { title: 'Contracts since the first block', unit: '', isDaily: true },
  cumulativeDeployers: { title: 'Deployers since the first block', unit: '', isDaily: true },
}

export const INTERVALS: Readonly<Record<Interval, string>> = {
  hour: 'Hour',
  day: 'Day',
  week: 'Week',
  month: 'Month',
}

/** Time ranges that end now, in seconds. */
export const RANGES = {
  day: { title: '24 hours', seconds: 86_400 },
  week: { title: '7 days', seconds: 604_800 },
  month: { title: '30 days', seconds: 2_592_000 },
  year: { title: '365 days', seconds: 31_536_000 },
  all: { title: 'All', seconds: undefined },
} as const
export type Range = keyof typeof RANGES

/** What a chart of a metric shows. */
export interface Choice {
  readonly metric: MetricName
  readonly interval: Interval
  readonly range: Range
}

type Query = Readonly<Record<string, string | undefined>>

/** Returns a key of a record that a text names, or a fallback. */
function pick<K extends string>(
  among: Readonly<Record<K, unknown>>,
  given: string | undefined,
  fallback: K,
): K {
  return given !== undefined && Object.hasOwn(among, given) ? (given as K) : fallback
}

/** Returns the choice in the address of a page, with `day` for metrics that have no other interval. */
export function choiceOf(query: Query): Choice {
  const metric = pick(METRICS, query['metric'], 'txCount')
  const interval = pick(INTERVALS, query['interval'], 'day')
  return {
    metric,
    interval: METRICS[metric].isDaily ? 'day' : interval,
    range: pick(RANGES, query['range'], 'month'),
  }
}

/** Ranges of values by day. */
export const DAILY_RANGES = { week: RANGES.week, month: RANGES.month, year: RANGES.year } as const
export type DailyRange = keyof typeof DAILY_RANGES

/** Returns the range of daily values in the address of a page. */
export function dailyRangeOf(query: Query): DailyRange {
  return pick(DAILY_RANGES, query['range'], 'year')
}

/** Returns the time at which a range begins, in Unix seconds; undefined for all times. */
export function startOf(range: Range, now = Date.now() / 1000): number | undefined {
  const { seconds } = RANGES[range]
  return seconds && Math.floor(now) - seconds
}

/** Returns the titles of a record, by key. */
export function titles<K extends string>(
  entries: Readonly<Record<K, { readonly title: string }>>,
): Readonly<Record<K, string>> {
  return Object.fromEntries(
    Object.entries<{ readonly title: string }>(entries).map(([key, { title }]) => [key, title]),
  ) as Record<K, string>
}
