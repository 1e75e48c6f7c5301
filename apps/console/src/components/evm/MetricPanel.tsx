import type { ChainInfo } from '@firn/client'
import { clean } from '../../format/ChainText.ts'
import {
  type Choice,
  choiceOf,
  INTERVALS,
  type Interval,
  METRICS,
  type MetricName,
  RANGES,
  type Range,
} from '../../format/Metrics.ts'
import { GWEI_DECIMALS } from '../../format/Transactions.ts'
import type { Query } from '../../Routes.ts'
import { useData } from '../../state/Session.ts'
import { useLoaded } from '../../state/useLoaded.ts'
import { Chart, type Point } from '../Chart.tsx'
import { Loadable } from '../Loadable.tsx'
import { Panel } from '../Panel.tsx'
import { chainTitle } from './OnChain.tsx'
import { SelectField } from './SelectField.tsx'

/** Largest number of values of a chart: the maximum of a page. */
const MOST_VALUES = 2160

const titles = <K extends string>(entries: Readonly<Record<K, { readonly title: string }>>) =>
  Object.fromEntries(
    Object.entries<{ readonly title: string }>(entries).map(([key, { title }]) => [key, title]),
  ) as Record<K, string>

const METRIC_TITLES = titles<MetricName>(METRICS)
const RANGE_TITLES = titles<Range>(RANGES)

/** A metric of one or more chains over time, with a choice of the metric, the intervals and the range. */
export function MetricPanel({
  chains,
  query,
  toHref,
}: {
  readonly chains: readonly ChainInfo[]
  readonly query: Query
  /** Returns the address of the page with another choice. */
  readonly toHref: (choice: Query) => string
}) {
  const choice = choiceOf(query)
  const change = (changed: Partial<Choice>) => {
    location.hash = toHref({ ...query, ...choice, ...changed })
  }
  const { title, isDaily } = METRICS[choice.metric]
  const intervals = isDaily ? { day: INTERVALS.day } : INTERVALS
  return (
    <Panel title={title}>
      <div class="form">
        <SelectField<MetricName>
          label="Metric"
          value={choice.metric}
          options={METRIC_TITLES}
          onChange={(metric) => change({ metric })}
        />
        <SelectField<Interval>
          label="Interval"
          value={choice.interval}
          options={intervals as Record<Interval, string>}
          onChange={(interval) => change({ interval })}
        />
        <SelectField<Range>
          label="Range"
          value={choice.range}
          options={RANGE_TITLES}
          onChange={(range) => change({ range })}
        />
      </div>
      {chains.map((chain) => (
        <MetricChart key={chain.chainId} chain={chain} choice={choice} isNamed={chains.length > 1} />
      ))}
    </Panel>
  )
}

function MetricChart({
  chain,
  choice: { metric, interval, range },
  isNamed,
}: {
  readonly chain: ChainInfo
  readonly choice: Choice
  readonly isNamed: boolean
}) {
  const { metrics } = useData()
  const { chainId } = chain
  const loaded = useLoaded(
    async (signal) => {
      const { seconds } = RANGES[range]
      const startTimestamp = seconds && Math.floor(Date.now() / 1000) - seconds
      const parameters = { chainId, metric, timeInterval: interval, startTimestamp, pageSize: MOST_VALUES }
      const { results } = await metrics.getEvmChainMetrics(parameters, { signal })
      return results.map((one) => toPoint(one, metric, chain)).toReversed()
    },
    [chainId, metric, interval, range],
  )
  const title = METRICS[metric].title
  return (
    <Loadable loaded={loaded} what="the metric">
      {(points) => (
        <Chart
          name={isNamed ? `${title} of ${chainTitle(chain)}` : title}
          points={points}
          unit={unitOf(metric, chain)}
          toText={toText}
        />
      )}
    </Loadable>
  )
}

/** Converts a value to the unit of the chart. Prices and fees are in wei. */
function toPoint(
  { timestamp, value }: { readonly timestamp: number; readonly value: number },
  metric: MetricName,
  { networkToken: { decimals } }: ChainInfo,
): Point {
  const { unit } = METRICS[metric]
  const digits = unit === 'gwei' ? GWEI_DECIMALS : unit === 'token' ? decimals : 0
  return { at: timestamp, value: value / 10 ** digits }
}

function unitOf(metric: MetricName, { networkToken: { symbol } }: ChainInfo): string {
  const { unit } = METRICS[metric]
  return unit === 'token' ? clean(symbol) : unit
}

function toText(value: number): string {
  return new Intl.NumberFormat('en', { maximumSignificantDigits: 6 }).format(value)
}
