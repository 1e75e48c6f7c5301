import * as Evaluate from '../promql/Evaluate.ts'
import * as Expression from '../promql/Expression.ts'
import { parseAll, STEP_MS } from '../promql/Series.ts'
import type { Alert } from './Alert.ts'
import { ALERTS as AGGREGATOR } from './alerts/Aggregator.ts'
import { ALERTS as APIS } from './alerts/Apis.ts'
import { ALERTS as EVM } from './alerts/Evm.ts'
import { ALERTS as INDEXER } from './alerts/Indexer.ts'
import { ALERTS as SERVICES } from './alerts/Services.ts'

/** Alerts by the title of their group. */
export const GROUPS: Readonly<Record<string, readonly Alert[]>> = {
  'All services': SERVICES,
  'Indexer of the Primary Network': INDEXER,
  'Indexer of EVM chains': EVM,
  'Signature aggregator': AGGREGATOR,
  'Data API, node API and gateway': APIS,
}

export const ALL: readonly Alert[] = Object.values(GROUPS).flat()

/** Minute at which rehearsals end. Prometheus evaluates rules once a minute in them. */
export const END_MINUTE = 60

/** Returns the labels of the series for which an alert fires at the end of the given series. */
export function firing(alert: Alert, table: Readonly<Record<string, string>>): readonly Evaluate.Sample[] {
  const expression = Expression.parse(alert.expr)
  const series = parseAll(table)
  const held = Expression.milliseconds(alert.for === '0m' ? '0m' : alert.for) / STEP_MS
  const at = (minute: number) => Evaluate.evaluate(expression, series, minute * STEP_MS)
  const key = ({ labels }: Evaluate.Sample) => JSON.stringify(Object.entries(labels).sort())
  const minutes = Array.from({ length: held + 1 }, (_, index) => END_MINUTE - held + index)
  const results = minutes.map((minute) => at(minute) as readonly Evaluate.Sample[])
  return (results.at(-1) ?? []).filter((one) =>
    results.every((samples) => samples.some((other) => key(other) === key(one))),
  )
}

/** Returns a text in which `{{ $labels.<name> }}` and `{{ $value }}` are replaced, as Prometheus does. */
export const fill = (text: string, { labels, value }: Evaluate.Sample): string =>
  text
    .replace(/\{\{ \$labels\.(\w+) \}\}/g, (_whole, name: string) => labels[name] ?? '')
    .replaceAll('{{ $value }}', String(value))
