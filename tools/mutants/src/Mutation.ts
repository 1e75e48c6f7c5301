import { parseSync } from 'oxc-parser'

/** A replacement in a source file. */
export interface Mutation {
  /** Offset of the first replaced UTF-16 unit in the text. `end` is the offset after the last one. */
  readonly start: number
  readonly end: number
  readonly replacement: string
}

type Node = { readonly type: string; readonly start: number; readonly end: number } & Record<string, unknown>

const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '**': ['*'],
  '&': ['|'],
  '|': ['&'],
  '^': ['&'],
  '<<': ['>>'],
  '>>': ['<<'],
  '>>>': ['<<'],
  '&&': ['||'],
  '||': ['&&'],
  '+=': ['-='],
  '-=': ['+='],
}

/**
 * Matches strings with spaces, which are sentences. They are not mutated, because testing every word would
 * only repeat the source.
 */
const SENTENCE = / /

/**
 * Returns the mutations of a TypeScript source: other operators, conditions that are always true or false,
 * other literals, and removed statements. Types, imports and strings with spaces are not changed.
 *
 * @example
 * ```ts
 * import { Mutation } from '@firn/mutants'
 *
 * const text = 'export const isAdult = (age: number) => age >= 18'
 * for (const mutation of Mutation.list('Age.ts', text)) console.log(Mutation.apply(text, mutation))
 * ```
 */
export function list(path: string, text: string): readonly Mutation[] {
  const found: Mutation[] = []
  const visit = (value: unknown, parent: Node | undefined, key: string): void => {
    if (Array.isArray(value)) {
      for (const item of value) visit(item, parent, key)
      return
    }
    if (!isNode(value) || isLeftOut(value)) return
    for (const [start, end, replacement] of changes(value, text, parent, key)) {
      found.push({ start, end, replacement })
    }
    for (const [name, child] of Object.entries(value)) visit(child, value, name)
  }
  visit(parseSync(path, text).program, undefined, '')
  return found.sort((a, b) => a.start - b.start || a.end - b.end)
}

/**
 * Returns the text with one mutation.
 *
 * @example
 * ```ts
 * import { Mutation } from '@firn/mutants'
 *
 * Mutation.apply('a < b', { start: 2, end: 3, replacement: '<=' }) // 'a <= b'
 * ```
 */
export function apply(text: string, { start, end, replacement }: Mutation): string {
  return text.slice(0, start) + replacement + text.slice(end)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}

const KEPT_TS = ['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression']
const MODULE = ['ImportDeclaration', 'ExportAllDeclaration', 'ImportExpression', 'TemplateElement']

function isLeftOut({ type, declare }: Node): boolean {
  return (type.startsWith('TS') && !KEPT_TS.includes(type)) || MODULE.includes(type) || declare === true
}

type Change = readonly [start: number, end: number, replacement: string]

function changes(node: Node, text: string, parent: Node | undefined, key: string): Change[] {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression':
      return operatorChanges(node, text)
    case 'IfStatement':
    case 'ConditionalExpression':
      return conditionChanges(node['test'] as Node)
    case 'UnaryExpression':
      return node['operator'] === '!' || node['operator'] === '-'
        ? [[node.start, (node['argument'] as Node).start, '']]
        : []
    case 'ExpressionStatement':
      return node['directive'] ? [] : [[node.start, node.end, ';']]
    case 'Literal':
      return isName(parent, key) ? [] : literalChanges(node)
    default:
      return []
  }
}

function operatorChanges(node: Node, text: string): Change[] {
  const [left, right] = [node['left'] as Node, node['right'] as Node]
  const operator = String(node['operator'])
  const at = text.indexOf(operator, left.end)
  if (at < 0 || at >= right.start) return []
  // Strings support no arithmetic operator except +.
  if (operator === '+' && [left, right].some(isText)) return []
  return (OPERATORS[operator] ?? []).map((other) => [at, at + operator.length, other])
}

function isText({ type, value }: Node): boolean {
  return type === 'TemplateLiteral' || (type === 'Literal' && typeof value === 'string')
}

/** Returns replacements of a condition by true and by false. */
function conditionChanges({ start, end }: Node): Change[] {
  return ['true', 'false'].map((value) => [start, end, value])
}

/** Returns whether a literal is the name of a member or the path of an import. */
function isName(parent: Node | undefined, key: string): boolean {
  return key === 'key' || key === 'source' || parent?.type === 'ImportAttribute'
}

function literalChanges({ start, end, value, bigint }: Node): Change[] {
  if (typeof bigint === 'string') return [[start, end, `${BigInt(bigint) + 1n}n`]]
  if (typeof value === 'number') return [[start, end, String(value + 1)]]
  if (typeof value === 'boolean') return [[start, end, String(!value)]]
  if (typeof value !== 'string' || value === '' || SENTENCE.test(value)) return []
  return [[start, end, "''"]]
}
