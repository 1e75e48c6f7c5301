import * as Expression from '../promql/Expression.ts'
import { ALL } from './Alerts.ts'
import { DASHBOARDS } from './Dashboards.ts'

/** Services with separate metrics. Each serves them at its own URL. */
export type Service = 'indexer' | 'evm' | 'aggregator' | 'data-api' | 'node' | 'gateway'

/** Prefixes of the names of metrics. The first one that matches decides. */
const PREFIXES: readonly (readonly [prefix: string, services: readonly Service[]])[] = [
  ['firn_indexer_', ['indexer']],
  ['firn_evm_', ['evm']],
  ['firn_gateway_', ['gateway']],
  ['firn_node_', ['node']],
  ['avalanche_api_calls', ['node']],
  ['firn_data_api_', ['data-api']],
  ['signature_aggregator_', ['aggregator']],
  ['process_', ['aggregator', 'data-api', 'node', 'gateway']],
  ['nodejs_', ['aggregator', 'data-api', 'node', 'gateway']],
]

/** Metrics and labels that Prometheus itself adds. */
const UP = 'up'
const TARGET_LABELS = ['job', 'instance']

/** Returns all expressions of alerts and dashboards. */
export const expressions = (): readonly string[] => [
  ...ALL.map(({ expr }) => expr),
  ...DASHBOARDS.flatMap(({ rows }) =>
    Object.values(rows).flatMap((panels) => panels.flatMap(({ queries }) => Object.values(queries))),
  ),
]

/** Returns the services that serve a metric. Empty for a metric of no service. */
export const servicesOf = (metric: string): readonly Service[] =>
  PREFIXES.find(([prefix]) => metric.startsWith(prefix))?.[1] ?? []

/** Returns the metrics that alerts and dashboards use, except for Prometheus' own metrics. */
export const used = (): readonly Expression.Use[] =>
  expressions()
    .flatMap((text) => Expression.uses(Expression.parse(text)))
    .filter(({ metric }) => metric !== UP)

const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  counter: [''],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
}

/** What alerts and dashboards use of a service and its `/metrics` lack. */
export interface Missing {
  readonly metrics: readonly string[]
  /** Labels, as `metric{label}`. */
  readonly labels: readonly string[]
  /** Metrics whose labels are unknown, because they have no sample yet. */
  readonly withoutSamples: readonly string[]
}

/** Compares what alerts and dashboards use of a service with the text of its `/metrics`. */
export function findMissing(service: Service, text: string): Missing {
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)]
  const names = new Set(
    types.flatMap(([, name, type = '']) => (SUFFIXES[type] ?? []).map((end) => `${name}${end}`)),
  )
  const labels = new Map<string, Set<string>>()
  for (const [, name = '', list = ''] of text.matchAll(/^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+$/gm)) {
    const known = labels.get(name) ?? new Set(TARGET_LABELS)
    for (const [, label = ''] of list.matchAll(/(\w+)="/g)) known.add(label)
    labels.set(name, known)
  }
  const own = used().filter(({ metric }) => servicesOf(metric).includes(service))
  const unique = (all: readonly string[]) => [...new Set(all)].sort()
  const isLabelled = ({ labels: wanted }: Expression.Use) =>
    wanted.some((one) => !TARGET_LABELS.includes(one))
  return {
    metrics: unique(own.map(({ metric }) => metric).filter((metric) => !names.has(metric))),
    labels: unique(
      own.flatMap(({ metric, labels: wanted }) =>
        wanted.filter((one) => labels.get(metric)?.has(one) === false).map((one) => `${metric}{${one}}`),
      ),
    ),
    withoutSamples: unique(
      own.filter((one) => isLabelled(one) && !labels.has(one.metric)).map(({ metric }) => metric),
    ),
  }
}
