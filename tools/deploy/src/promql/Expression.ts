import type { SyntaxNode } from '@lezer/common'
import { parser } from '@prometheus-io/lezer-promql'
import { DeployError } from '../DeployError.ts'

/** A condition on a label. */
export interface Matcher {
  readonly label: string
  readonly operator: '=' | '!=' | '=~' | '!~'
  readonly value: string
}

/** Selects series by the name of their metric and their labels. */
export interface Selector {
  readonly type: 'selector'
  readonly metric: string
  readonly matchers: readonly Matcher[]
}

/** How series of both sides of an operator are paired. */
export interface Matching {
  readonly kind: 'on' | 'ignoring'
  readonly labels: readonly string[]
}

/** A PromQL expression, of the language that dashboards and alerts of this repository use. */
export type Expression =
  | { readonly type: 'number'; readonly value: number }
  | Selector
  /** The values of a selector during the last `milliseconds`. */
  | { readonly type: 'range'; readonly selector: Selector; readonly milliseconds: number }
  | { readonly type: 'call'; readonly name: string; readonly args: readonly Expression[] }
  | {
      readonly type: 'aggregate'
      readonly name: string
      readonly by: readonly string[]
      readonly of: Expression
    }
  | {
      readonly type: 'binary'
      readonly operator: string
      readonly left: Expression
      readonly right: Expression
      readonly matching: Matching | undefined
    }

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** Returns the milliseconds of a duration such as `5m` or `1h30m`. @throws DeployError `DEPLOY_PROMQL` */
export function milliseconds(text: string): number {
  const parts = [...text.matchAll(/(\d+)(ms|[smhd])/g)]
  if (parts.map(([part]) => part).join('') !== text || text === '')
    throw new DeployError('DEPLOY_PROMQL', `expected a duration such as 5m, got ${text}`)
  return parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (UNITS[unit] ?? 0), 0)
}

/** Parses an expression. @throws DeployError `DEPLOY_PROMQL` for a syntax error, or syntax that is not supported */
export function parse(text: string): Expression {
  const tree = parser.parse(text)
  const cursor = tree.cursor()
  do {
    if (cursor.type.isError)
      throw new DeployError('DEPLOY_PROMQL', `syntax error at character ${cursor.from + 1} of ${text}`)
  } while (cursor.next())
  const node = tree.topNode.firstChild
  if (node === null) throw new DeployError('DEPLOY_PROMQL', 'expected an expression, got an empty text')
  return read(node, (one) => text.slice(one.from, one.to))
}

type Text = (node: SyntaxNode) => string
type Reader = (node: SyntaxNode, text: Text) => Expression

const children = (node: SyntaxNode): readonly SyntaxNode[] => {
  const found: SyntaxNode[] = []
  for (let child = node.firstChild; child !== null; child = child.nextSibling) found.push(child)
  return found
}

const child = (node: SyntaxNode, name: string): SyntaxNode => {
  const found = node.getChild(name)
  if (found === null) throw new DeployError('DEPLOY_PROMQL', `${node.name} has no ${name}`)
  return found
}

const only = (node: SyntaxNode): SyntaxNode => {
  const found = node.firstChild
  if (found === null) throw new DeployError('DEPLOY_PROMQL', `${node.name} is empty`)
  return found
}

const labelsOf = (node: SyntaxNode, text: Text): readonly string[] =>
  child(node, 'GroupingLabels').getChildren('LabelName').map(text)

const selector = (node: SyntaxNode, text: Text): Selector => {
  const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? []
  return {
    type: 'selector',
    metric: text(child(node, 'Identifier')),
    matchers: matchers.map((one) => ({
      label: text(child(one, 'LabelName')),
      operator: text(child(one, 'MatchOp')) as Matcher['operator'],
      value: JSON.parse(text(child(one, 'StringLiteral'))) as string,
    })),
  }
}

const matching = (node: SyntaxNode, text: Text): Matching | undefined => {
  const clause = node.getChild('MatchingModifierClause')
  if (clause === null) return undefined
  return { kind: clause.getChild('On') === null ? 'ignoring' : 'on', labels: labelsOf(clause, text) }
}

const READERS: Readonly<Record<string, Reader>> = {
  NumberDurationLiteral: (node, text) => ({ type: 'number', value: Number(text(node)) }),
  ParenExpr: (node, text) => read(only(node), text),
  VectorSelector: selector,
  MatrixSelector: (node, text) => ({
    type: 'range',
    selector: selector(child(node, 'VectorSelector'), text),
    milliseconds: milliseconds(text(child(node, 'DurationExpr'))),
  }),
  FunctionCall: (node, text) => ({
    type: 'call',
    name: text(child(node, 'FunctionIdentifier')),
    args: children(child(node, 'FunctionCallBody')).map((one) => read(one, text)),
  }),
  AggregateExpr: (node, text) => {
    const modifier = node.getChild('AggregateModifier')
    if (modifier !== null && modifier.getChild('By') === null)
      throw new DeployError('DEPLOY_PROMQL', `only by (…) is supported, got ${text(modifier)}`)
    return {
      type: 'aggregate',
      name: text(child(node, 'AggregateOp')),
      by: modifier === null ? [] : labelsOf(modifier, text),
      of: read(only(child(node, 'FunctionCallBody')), text),
    }
  },
  BinaryExpr: (node, text) => {
    const all = children(node).filter(({ name }) => name !== 'MatchingModifierClause')
    const [left, operator, right] = all
    if (left === undefined || operator === undefined || right === undefined || all.length !== 3)
      throw new DeployError('DEPLOY_PROMQL', `not supported: ${text(node)}`)
    return {
      type: 'binary',
      operator: text(operator),
      left: read(left, text),
      right: read(right, text),
      matching: matching(node, text),
    }
  },
}

const read: Reader = (node, text) => {
  const reader = READERS[node.name]
  if (reader === undefined)
    throw new DeployError('DEPLOY_PROMQL', `${node.name} is not supported: ${text(node)}`)
  return reader(node, text)
}

/** A metric that an expression selects, with all labels that the expression names for it. */
export interface Use {
  readonly metric: string
  readonly labels: readonly string[]
}

/** Returns the metrics that an expression uses. Labels of `by` and `on` must exist on all metrics below them. */
export function uses(expression: Expression, labels: readonly string[] = []): readonly Use[] {
  switch (expression.type) {
    case 'number':
      return []
    case 'selector': {
      const own = expression.matchers.map(({ label }) => label)
      return [{ metric: expression.metric, labels: [...new Set([...labels, ...own])] }]
    }
    case 'range':
      return uses(expression.selector, labels)
    case 'call':
      return expression.args.flatMap((one) => uses(one, labels))
    case 'aggregate':
      // An aggregation removes all labels but its own: outer ones must be among them.
      return uses(expression.of, expression.by)
    case 'binary': {
      const paired = expression.matching?.kind === 'on' ? expression.matching.labels : []
      return [expression.left, expression.right].flatMap((side) => uses(side, [...labels, ...paired]))
    }
  }
}
