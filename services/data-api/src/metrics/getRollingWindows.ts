import { Periods } from '@firn/evm'
import { EvmMetricPages } from '@firn/store/evm'
import { Type } from 'typebox'
import type { EvmContext } from '../evm/EvmContext.ts'
import { evmSnapshots } from '../evm/evmSnapshots.ts'
import { define, type Endpoint } from '../front/Endpoint.ts'
import { latestOf } from '../front/List.ts'
import * as Parameter from '../front/Parameter.ts'
import { METRIC_NAMES, METRICS, type MetricName, type Sums } from './Metrics.ts'
import { chainsWith, metricsChain } from './metricsChains.ts'
import * as Series from './Series.ts'

/** The windows: so many whole periods, of which the newest one is the newest block's; all there is where no number is given. */
const WINDOWS = {
  lastHour: ['hour', 1n],
  lastDay: ['hour', 24n],
  lastWeek: ['day', 7n],
  lastMonth: ['day', 30n],
  last90Days: ['day', 90n],
  lastYear: ['day', 365n],
  allTime: ['all', undefined],
} as const
type Window = (typeof WINDOWS)[keyof typeof WINDOWS]

const LENGTHS = { hour: 3_600n, day: 86_400n } as const
const DISTINCT: ReadonlySet<MetricName> = new Set(['activeAddresses', 'activeSenders', 'deployers'])

/** `GET /v2/chains/{chainId}/rollingWindowMetrics/{metric}`: a metric of the last hour, day, week and so on. */
export function getRollingWindows(context: EvmContext): Endpoint {
  const metrics = METRIC_NAMES.filter((name) => !name.startsWith('cumulative'))
  const members = Object.keys(WINDOWS).map((name) => [name, Type.Number()])
  return define({
    method: 'GET',
    path: '/v2/chains/{chainId}/rollingWindowMetrics/{metric}',
    summary:
      'A metric of the time until the newest block: an hour, a day, a week, 30, 90 and 365 days, and all of it',
    tag: 'Metrics',
    scope: 'metrics',
    units: 100,
    pathParameters: { chainId: metricsChain(context), metric: Parameter.choice(metrics) },
    queryParameters: {},
    response: Type.Object({ result: Type.Object(Object.fromEntries(members)) }),
    handle: async ({ path, signal }) => {
      const chains = await Series.spans(chainsWith(context, path.chainId, path.metric), signal)
      const time = Series.greatest(chains.map(({ to }) => to))
      const entries = Object.entries(WINDOWS).map(async ([name, window]) => {
        const sums = chains.map((chain) => sumsOf(chain, path.metric, window, time, signal))
        return [name, METRICS[path.metric].value(await Promise.all(sums))]
      })
      return { body: { result: Object.fromEntries(await Promise.all(entries)) } }
    },
  })
}

/** The sums of a chain in a window that ends with `time`, Unix seconds. */
async function sumsOf(
  { source: { store }, first }: Series.Chain,
  metric: MetricName,
  [period, count]: Window,
  time: bigint,
  signal: AbortSignal,
): Promise<Sums> {
  const from = period === 'all' ? 0n : Periods.startOf(period, time) - (count - 1n) * LENGTHS[period]
  return latestOf(evmSnapshots(store), signal, async () => {
    const sums = await EvmMetricPages.together(store, period, from)
    const isCounted = sums !== undefined && DISTINCT.has(metric) && count !== 1n && period !== 'all'
    const distinct = isCounted ? await EvmMetricPages.distinct(store, period, from) : {}
    const before = { transactions: 0n, creations: 0n, addresses: 0n, deployers: 0n }
    return {
      row: sums === undefined ? undefined : { ...sums, ...distinct },
      before: { ...before, lastMilliseconds: sums?.before ?? null },
      first,
    }
  })
}
