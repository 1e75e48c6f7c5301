import { DeployError } from '../DeployError.ts'

export type Labels = Readonly<Record<string, string>>

/** Values of one series: one each minute from time zero; undefined where it has none. */
export interface Series {
  readonly metric: string
  readonly labels: Labels
  readonly values: readonly (number | undefined)[]
}

export const STEP_MS = 60_000

const HEAD = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?$/
const LABEL = /(\w+)="([^"]*)"/g

/** Parses the head of a series, such as `up{job="indexer"}`. @throws DeployError `DEPLOY_PROMQL` */
export function parseHead(text: string): { readonly metric: string; readonly labels: Labels } {
  const [, metric, labels = ''] = HEAD.exec(text) ?? []
  if (metric === undefined) throw new DeployError('DEPLOY_PROMQL', `expected a series, got ${text}`)
  return {
    metric,
    labels: Object.fromEntries([...labels.matchAll(LABEL)].map(([, name, value]) => [name, value])),
  }
}

const RUN = /^(-?[\d.e]+)(?:([+-][\d.e]+)x(\d+))?$/

/**
 * Parses the values of a series in the notation of `promtool test rules`: `5`, `_`, and `10+2x3`, which is 10 12 14 16.
 * @throws DeployError `DEPLOY_PROMQL`
 */
export function parseValues(text: string): readonly (number | undefined)[] {
  return text.split(/\s+/).flatMap((part) => {
    const missing = /^_(?:x(\d+))?$/.exec(part)
    if (missing !== null) return Array.from({ length: Number(missing[1] ?? 1) }, () => undefined)
    const [, first, step = '0', count = '0'] = RUN.exec(part) ?? []
    if (first === undefined)
      throw new DeployError('DEPLOY_PROMQL', `expected values such as 0+1x9, got ${part}`)
    return Array.from({ length: Number(count) + 1 }, (_, index) => Number(first) + Number(step) * index)
  })
}

/** Returns the series of a table from heads to values. */
export const parseAll = (table: Readonly<Record<string, string>>): readonly Series[] =>
  Object.entries(table).map(([head, values]) => ({ ...parseHead(head), values: parseValues(values) }))
