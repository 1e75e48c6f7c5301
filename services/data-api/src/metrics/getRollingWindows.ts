import { EvmMetrics } from '@firn/evm-store'
import type { EvmContext } from '../evm/chain/EvmContext.ts'
import { evmSnapshots } from '../evm/chain/evmSnapshots.ts'
import { headOf } from '../evm/chain/heads.ts'
import { define, type Endpoint } from '../http/endpoint/Endpoint.ts'
import { latestOf } from '../http/endpoint/List.ts'
import * as Parameter from '../http/endpoint/Parameter.ts'
import * as Schema from '../http/endpoint/Schema.ts'
import { METRIC_NAMES, METRICS, type MetricName, type Sums } from './Metrics.ts'
import { chainsWith, countChains, metricsChain } from './metricsChains.ts'
import * as Series from './Series.ts'
import { beginOf, WINDOW_NAMES, WINDOWS, type WindowName, windowMembers } from './Windows.ts'

/** Approximate number of rows that all windows of a chain read. */
const ROWS = 1_000
/** Metrics that count distinct addresses per window. */
const DISTINCT: { readonly [Name in MetricName]?: EvmMetrics.Meaning } = {
  activeAddresses: 'addresses',
  activeSenders: 'senders',
  deployers: 'deployers',
}

/**
 * `GET /v2/chains/{chainId}/rollingWindowMetrics/{metric}`: a metric over the last hour, day, week, 30, 90
 * and 365 days, and over all time.
 */
export function getRollingWindows(context: EvmContext): Endpoint {
  const metrics = METRIC_NAMES.filter((name) => !name.startsWith('cumulative'))
  return define({
    method: 'GET',
    path: '/v2/chains/{chainId}/rollingWindowMetrics/{metric}',
    operationId: 'getEvmChainRollingWindowMetrics',
    summary:
      'A metric for time windows that end with the newest block: an hour, a day, a week, 30, 90 and 365 days, and all time',
    tag: 'Metrics',
    scope: 'metrics',
    units: 100,
    rows: ({ path }) => ROWS * countChains(context, path.chainId),
    pathParameters: { chainId: metricsChain(context), metric: Parameter.choice(metrics) },
    queryParameters: {},
    response: Schema.object('RollingWindowMetricsApiResponse', 'A metric over time windows', {
      result: Schema.object(
        'ChainRollingWindowMetricsValue',
        'Values of a metric over windows that end with the newest block',
        windowMembers('Value'),
      ),
    }),
    handle: async ({ path, signal }) => {
      const chains = await Series.spans(chainsWith(context, path.chainId, path.metric), signal)
      const time = Series.greatest(chains.map(({ to }) => to))
      const sums = await Promise.all(chains.map((chain) => windowsOf(chain, path.metric, time, signal)))
      const names = WINDOW_NAMES
      const value = (name: WindowName) => METRICS[path.metric].value(sums.map((one) => one[name]))
      return { body: { result: Object.fromEntries(names.map((name) => [name, value(name)])) } }
    },
    // All callers share the result until the next block.
    version: async ({ path }) => {
      const chains = chainsWith(context, path.chainId, path.metric)
      const heads = await Promise.all(chains.map((source) => headOf(source)))
      return heads.map((head) => head?.key ?? '').join(' ')
    },
  })
}

/** Returns a chain's metric totals for all windows that end at `time` (Unix seconds). */
async function windowsOf(
  { source: { store }, first }: Series.Chain,
  metric: MetricName,
  time: bigint,
  signal: AbortSignal,
): Promise<{ readonly [Name in WindowName]: Sums }> {
  const meaning = DISTINCT[metric]
  const { columns } = METRICS[metric]
  const names = WINDOW_NAMES
  const given = names.map((name) => ({ period: WINDOWS[name][0], from: beginOf(WINDOWS[name], time) }))
  return latestOf(evmSnapshots(store), signal, async () => {
    const totals = await EvmMetrics.windows(store, given, columns, meaning)
    const entries = names.map((name, i): [WindowName, Sums] => {
      const row = totals[i]
      const before = { ...NOTHING, lastMilliseconds: row?.before ?? null }
      // The totals of a single period have distinct addresses already.
      const isSingle = WINDOWS[name][1] === 1n || WINDOWS[name][0] === 'all'
      const distinct = meaning && !isSingle && { [meaning]: row?.distinct ?? 0n }
      return [name, { row: row && { ...row, ...distinct }, before, first }]
    })
    return Object.fromEntries(entries) as { readonly [Name in WindowName]: Sums }
  })
}

const NOTHING = { transactions: 0n, creations: 0n, addresses: 0n, deployers: 0n }
