import type { ChainInfo } from '@firn/client'
import type { ComponentChildren } from 'preact'
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
  startOf,
  titles,
} from '../../format/Metrics.ts'
import { GWEI_DECIMALS } from '../../format/Transactions.ts'
import type { Query } from '../../Routes.ts'
import { useData } from '../../state/Session.ts'
import { useLoaded } from '../../state/useLoaded.ts'
import { Chart, type Line, type Point } from '../Chart.tsx'
import { Loadable } from '../Loadable.tsx'
import { Panel } from '../Panel.tsx'
import { chainTitle } from './OnChain.tsx'
import { SelectField } from './SelectField.tsx'

/** Largest number of values of a chart: the maximum of a page. */
const MOST_VALUES = 2160

const METRIC_TITLES = titles<MetricName>(METRICS)
const RANGE_TITLES = titles<Range>(RANGES)

/** A metric of one or more chains over time, with a choice of the metric, the intervals and the range. */
export function MetricPanel({
  chains,
  query,
  toHref,
  tools,
}: {
  /** One chain, or two to compare. */
  readonly chains: readonly ChainInfo[]
  readonly query: Query
  /** Returns the address of the page with another choice. */
  readonly toHref: (choice: Query) => string
  /** Controls before the metric's own controls. */
  readonly tools?: ComponentChildren
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
        {tools}
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
      <MetricChart chains={chains} choice={choice} />
    </Panel>
  )
}

function MetricChart({
  chains,
  choice: { metric, interval, range },
}: {
  readonly chains: readonly ChainInfo[]
  readonly choice: Choice
}) {
  const { metrics } = useData()
  const loaded = useLoaded(
    (signal) => {
      const startTimestamp = startOf(range)
      return Promise.all(
        chains.map(async (chain): Promise<Line> => {
          const { chainId } = chain
          const parameters = {
            chainId,
            metric,
            timeInterval: interval,
            startTimestamp,
            pageSize: MOST_VALUES,
          }
          const { results } = await metrics.getEvmChainMetrics(parameters, { signal })
          const points = results.map((one) => toPoint(one, metric, chain)).toReversed()
          return { name: nameOf(chain, metric), points }
        }),
      )
    },
    [chains.map(({ chainId }) => chainId), metric, interval, range],
  )
  const units = new Set(chains.map((chain) => unitOf(metric, chain)))
  const [unit = ''] = units.size === 1 ? units : []
  return (
    <Loadable loaded={loaded} what="the metric">
      {(lines) => <Chart name={METRICS[metric].title} lines={lines} unit={unit} toText={toText} />}
    </Loadable>
  )
}

/** Returns the name of a line. Chains may pay fees in different tokens. */
function nameOf(chain: ChainInfo, metric: MetricName): string {
  const title = chainTitle(chain)
  return METRICS[metric].unit === 'token' ? `${title} (${unitOf(metric, chain)})` : title
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
