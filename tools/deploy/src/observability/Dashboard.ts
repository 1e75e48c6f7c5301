/** Units of Grafana that the panels use. */
export type Unit =
  | 'short'
  | 's'
  | 'ns'
  | 'bytes'
  | 'ops'
  | 'reqps'
  | 'percent'
  | 'percentunit'
  | 'bool_yes_no'

/** A graph of a dashboard. */
export interface Panel {
  readonly title: string
  readonly unit: Unit
  /** PromQL expressions by the legend of their series, such as `{{instance}}`. */
  readonly queries: Readonly<Record<string, string>>
}

/** A dashboard: rows of panels. Panels of a row share its width. */
export interface Dashboard {
  /** Name of its file, and its identifier in Grafana after `firn-`. */
  readonly name: string
  readonly title: string
  readonly rows: Readonly<Record<string, readonly Panel[]>>
}

/** Returns a panel. */
export const panel = (title: string, unit: Unit, queries: Readonly<Record<string, string>>): Panel => ({
  title,
  unit,
  queries,
})

/** Returns a panel with the median, the 95th and the 99th percentile of a histogram. */
export const percentiles = (title: string, histogram: string, by: string): Panel => {
  const quantile = (share: number) =>
    `histogram_quantile(${share}, sum by (${by}, le) (rate(${histogram}_bucket[5m])))`
  return panel(title, 's', {
    [`p50 {{${by}}}`]: quantile(0.5),
    [`p95 {{${by}}}`]: quantile(0.95),
    [`p99 {{${by}}}`]: quantile(0.99),
  })
}

/** The panels for the connections of a service whose metrics start with `prefix`. */
export const connectionPanels = (prefix: string): readonly Panel[] => [
  panel('Open connections', 'short', { '{{listener}} {{instance}}': `${prefix}_connections` }),
  panel('Refused connections', 'ops', {
    '{{listener}} {{reason}}': `sum by (listener, reason) (rate(${prefix}_refused_connections_total[5m]))`,
  }),
]

/** The panels of every service's process. `job` is the name of the job in deploy/prometheus/prometheus.yaml. */
export const processPanels = (job: string): readonly Panel[] => [
  panel('Processor time', 'percentunit', {
    '{{instance}}': `rate(process_cpu_seconds_total{job="${job}"}[5m])`,
  }),
  panel('Memory', 'bytes', {
    'resident {{instance}}': `process_resident_memory_bytes{job="${job}"}`,
    'heap {{instance}}': `nodejs_heap_size_used_bytes{job="${job}"}`,
  }),
  panel('Event loop lag (p99)', 's', { '{{instance}}': `nodejs_eventloop_lag_p99_seconds{job="${job}"}` }),
  panel('Open file descriptors', 'short', { '{{instance}}': `process_open_fds{job="${job}"}` }),
]

const WIDTH = 24
const HEIGHT = 8

/** Returns the JSON of a dashboard as Grafana imports it. */
export function toGrafana({ name, title, rows }: Dashboard): object {
  const panels: object[] = []
  let y = 0
  for (const [row, members] of Object.entries(rows)) {
    const id = () => panels.length + 1
    panels.push({
      id: id(),
      type: 'row',
      title: row,
      collapsed: false,
      panels: [],
      gridPos: { x: 0, y, w: WIDTH, h: 1 },
    })
    y += 1
    const width = Math.floor(WIDTH / members.length)
    for (const [index, { title: panelTitle, unit, queries }] of members.entries())
      panels.push({
        id: id(),
        type: 'timeseries',
        title: panelTitle,
        datasource: { type: 'prometheus', uid: 'prometheus' },
        gridPos: { x: index * width, y, w: width, h: HEIGHT },
        fieldConfig: { defaults: { unit, min: 0, custom: { fillOpacity: 10 } }, overrides: [] },
        options: {
          legend: { displayMode: 'list', placement: 'bottom' },
          tooltip: { mode: 'multi', sort: 'desc' },
        },
        targets: Object.entries(queries).map(([legendFormat, expr], position) => ({
          refId: String.fromCharCode(65 + position),
          expr,
          legendFormat,
        })),
      })
    y += HEIGHT
  }
  return {
    uid: `firn-${name}`,
    title: `Firn: ${title}`,
    tags: ['firn'],
    timezone: 'browser',
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    schemaVersion: 41,
    editable: false,
    panels,
  }
}
