import { DeployError } from '../DeployError.ts'
import type { Expression, Matcher, Matching, Selector } from './Expression.ts'
import { type Labels, type Series, STEP_MS } from './Series.ts'

/** A value of one series at one time. */
export interface Sample {
  readonly labels: Labels
  readonly value: number
}

type Value = number | readonly Sample[]

/** Milliseconds for which Prometheus uses the last value of a series. */
const LOOKBACK_MS = 300_000

/** Evaluates an expression at a time in milliseconds, as Prometheus does. @throws DeployError `DEPLOY_PROMQL` */
export function evaluate(expression: Expression, series: readonly Series[], time: number): Value {
  const at = (one: Expression) => evaluate(one, series, time)
  switch (expression.type) {
    case 'number':
      return expression.value
    case 'selector':
      return select(expression, series).flatMap(({ labels, metric, values }) => {
        const value = lastValue(values, time)
        return value === undefined ? [] : [{ labels: { ...labels, __name__: metric }, value }]
      })
    case 'call':
      return call(expression, series, time)
    case 'aggregate':
      return aggregate(expression.name, expression.by, vector(at(expression.of)))
    case 'binary':
      return binary(expression.operator, at(expression.left), at(expression.right), expression.matching)
    case 'range':
      throw new DeployError('DEPLOY_PROMQL', 'a range has no value at one time')
  }
}

const COMPARE: Readonly<Record<Matcher['operator'], (given: string, value: string) => boolean>> = {
  '=': (given, value) => given === value,
  '!=': (given, value) => given !== value,
  '=~': (given, value) => new RegExp(`^(?:${value})$`).test(given),
  '!~': (given, value) => !new RegExp(`^(?:${value})$`).test(given),
}

const select = ({ metric, matchers }: Selector, series: readonly Series[]): readonly Series[] =>
  series.filter(
    (one) =>
      one.metric === metric &&
      matchers.every(({ label, operator, value }) => COMPARE[operator](one.labels[label] ?? '', value)),
  )

const lastValue = (values: Series['values'], time: number): number | undefined => {
  for (let index = Math.floor(time / STEP_MS); index >= 0 && time - index * STEP_MS <= LOOKBACK_MS; index--)
    if (values[index] !== undefined) return values[index]
  return undefined
}

const vector = (value: Value): readonly Sample[] => {
  if (typeof value === 'number') throw new DeployError('DEPLOY_PROMQL', 'expected series, got a number')
  return value
}

const unnamed = ({ __name__: _, ...labels }: Labels): Labels => labels

type Points = readonly { readonly time: number; readonly value: number }[]
type Over = (points: Points, range: number, time: number) => number | undefined

const values = (points: Points): readonly number[] => points.map(({ value }) => value)

/**
 * Returns the increase during a range as Prometheus extrapolates it: to the limits of the range, but not by more than
 * half of a step where the series begins or ends within it.
 */
const increase = (points: Points, range: number, time: number, isCounter: boolean): number | undefined => {
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined || points.length < 2) return undefined
  const resets = points.reduce((sum, { value }, index) => {
    const before = points[index - 1]?.value ?? value
    return isCounter && value < before ? sum + before : sum
  }, 0)
  const change = last.value - first.value + resets
  const sampled = last.time - first.time
  const average = sampled / (points.length - 1)
  const limit = average * 1.1
  let start = first.time - (time - range)
  if (isCounter && change > 0 && first.value >= 0) start = Math.min(start, sampled * (first.value / change))
  const end = time - last.time
  const extended = sampled + (start < limit ? start : average / 2) + (end < limit ? end : average / 2)
  return (change * extended) / sampled
}

const OVER: Readonly<Record<string, Over>> = {
  rate: (points, range, time) => {
    const change = increase(points, range, time, true)
    return change === undefined ? undefined : change / (range / 1_000)
  },
  increase: (points, range, time) => increase(points, range, time, true),
  delta: (points, range, time) => increase(points, range, time, false),
  max_over_time: (points) => Math.max(...values(points)),
  min_over_time: (points) => Math.min(...values(points)),
  avg_over_time: (points) => values(points).reduce((sum, value) => sum + value, 0) / points.length,
}

type Call = Extract<Expression, { type: 'call' }>

const call = ({ name, args }: Call, series: readonly Series[], time: number): Value => {
  const [first, second] = args
  const over = OVER[name]
  if (over !== undefined && first?.type === 'range') {
    const { selector, milliseconds } = first
    return select(selector, series).flatMap(({ labels, values }) => {
      const points = values.flatMap((value, index) => {
        const at = index * STEP_MS
        const isInside = value !== undefined && at >= time - milliseconds && at <= time
        return isInside ? [{ time: at, value }] : []
      })
      const value = points.length === 0 ? undefined : over(points, milliseconds, time)
      return value === undefined ? [] : [{ labels, value }]
    })
  }
  if (name === 'time' && first === undefined) return time / 1_000
  if (name === 'histogram_quantile' && first?.type === 'number' && second !== undefined)
    return quantiles(first.value, vector(evaluate(second, series, time)))
  if (name === 'absent' && first !== undefined)
    return vector(evaluate(first, series, time)).length === 0 ? [{ labels: equalities(first), value: 1 }] : []
  throw new DeployError('DEPLOY_PROMQL', `${name} is not supported with these arguments`)
}

const equalities = (expression: Expression): Labels =>
  expression.type === 'selector'
    ? Object.fromEntries(
        expression.matchers
          .filter(({ operator }) => operator === '=')
          .map(({ label, value }) => [label, value] as const),
      )
    : {}

const groupBy = (samples: readonly Sample[], labelsOf: (labels: Labels) => Labels) => {
  const groups = new Map<string, { readonly labels: Labels; readonly samples: Sample[] }>()
  for (const sample of samples) {
    const labels = labelsOf(sample.labels)
    const key = keyOf(labels)
    const group = groups.get(key) ?? { labels, samples: [] }
    group.samples.push(sample)
    groups.set(key, group)
  }
  return [...groups.values()]
}

const keyOf = (labels: Labels): string => JSON.stringify(Object.entries(labels).sort())

const keep = (labels: Labels, names: readonly string[]): Labels =>
  Object.fromEntries(
    names.filter((name) => labels[name] !== undefined).map((name) => [name, labels[name] ?? '']),
  )

const quantiles = (quantile: number, samples: readonly Sample[]): readonly Sample[] =>
  groupBy(samples, ({ le: _, ...labels }) => unnamed(labels)).flatMap((group) => {
    const buckets = group.samples
      .map(({ labels, value }) => ({
        bound: Number((labels['le'] ?? '').replace('+Inf', 'Infinity')),
        value,
      }))
      .sort((one, other) => one.bound - other.bound)
    const total = buckets.at(-1)?.value ?? 0
    if (total === 0) return []
    const rank = quantile * total
    const index = buckets.findIndex(({ value }) => value >= rank)
    const [at, before] = [buckets[index], buckets[index - 1]]
    if (at === undefined) return []
    if (at.bound === Infinity) return [{ labels: group.labels, value: before?.bound ?? Number.NaN }]
    const [low, below] = [before?.bound ?? 0, before?.value ?? 0]
    const value = low + ((at.bound - low) * (rank - below)) / (at.value - below)
    return [{ labels: group.labels, value }]
  })

const AGGREGATES: Readonly<Record<string, (values: readonly number[]) => number>> = {
  sum: (all) => all.reduce((sum, value) => sum + value, 0),
  max: (all) => Math.max(...all),
  min: (all) => Math.min(...all),
  count: (all) => all.length,
  avg: (all) => all.reduce((sum, value) => sum + value, 0) / all.length,
}

const aggregate = (name: string, by: readonly string[], samples: readonly Sample[]): readonly Sample[] => {
  const combine = AGGREGATES[name]
  if (combine === undefined) throw new DeployError('DEPLOY_PROMQL', `${name} is not supported`)
  return groupBy(samples, (labels) => keep(labels, by)).map((group) => ({
    labels: group.labels,
    value: combine(group.samples.map(({ value }) => value)),
  }))
}

const ARITHMETIC: Readonly<Record<string, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
}

const COMPARISONS: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  '>': (left, right) => left > right,
  '<': (left, right) => left < right,
  '>=': (left, right) => left >= right,
  '<=': (left, right) => left <= right,
  '==': (left, right) => left === right,
  '!=': (left, right) => left !== right,
}

const binary = (operator: string, left: Value, right: Value, matching: Matching | undefined): Value => {
  const isSet = operator === 'and' || operator === 'or' || operator === 'unless'
  if (isSet) return combineSets(operator, vector(left), vector(right), matching)
  const compute = ARITHMETIC[operator]
  const compare = COMPARISONS[operator]
  const pair = (labels: Labels, one: number, other: number, kept: number): readonly Sample[] => {
    if (compute !== undefined) return [{ labels: unnamed(labels), value: compute(one, other) }]
    return compare?.(one, other) === true ? [{ labels, value: kept }] : []
  }
  if (typeof left === 'number' && typeof right === 'number') {
    if (compute === undefined) throw new DeployError('DEPLOY_PROMQL', `numbers are compared by ${operator}`)
    return compute(left, right)
  }
  if (typeof right === 'number')
    return vector(left).flatMap(({ labels, value }) => pair(labels, value, right, value))
  if (typeof left === 'number') return right.flatMap(({ labels, value }) => pair(labels, left, value, value))
  return left.flatMap(({ labels, value }) => {
    const partners = right.filter((one) => signature(one.labels, matching) === signature(labels, matching))
    if (partners.length > 1) throw new DeployError('DEPLOY_PROMQL', `several series match for ${operator}`)
    const [partner] = partners
    const own = matching?.kind === 'on' ? keep(labels, matching.labels) : labels
    return partner === undefined ? [] : pair(own, value, partner.value, value)
  })
}

const signature = (labels: Labels, matching: Matching | undefined): string => {
  if (matching?.kind === 'on') return keyOf(keep(labels, matching.labels))
  const ignored = matching?.labels ?? []
  return keyOf(
    Object.fromEntries(Object.entries(unnamed(labels)).filter(([name]) => !ignored.includes(name))),
  )
}

const combineSets = (
  operator: 'and' | 'or' | 'unless',
  left: readonly Sample[],
  right: readonly Sample[],
  matching: Matching | undefined,
): readonly Sample[] => {
  const has = (side: readonly Sample[]) => {
    const keys = new Set(side.map(({ labels }) => signature(labels, matching)))
    return ({ labels }: Sample) => keys.has(signature(labels, matching))
  }
  if (operator === 'and') return left.filter(has(right))
  if (operator === 'unless') return left.filter((one) => !has(right)(one))
  return [...left, ...right.filter((one) => !has(left)(one))]
}
