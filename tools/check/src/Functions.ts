import { children } from './Modules.ts'
import type { Node, Source } from './Source.ts'

/** A measured function: where it starts, its lines without the methods that it returns, and its cyclomatic complexity. */
export type Measured = {
  readonly name: string
  readonly line: number
  readonly lines: number
  readonly complexity: number
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])
/** Each of these adds a path through a function. A `case` counts unless it is the default. */
const BRANCHES = new Set([
  'IfStatement',
  'ConditionalExpression',
  'LogicalExpression',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
])
const LOGICAL_ASSIGNMENTS = new Set(['&&=', '||=', '??='])
/** Expressions that only change the type of the expression that they contain. */
const TYPE_ONLY = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'ParenthesizedExpression'])

const isFunction = ({ type, body }: Node): boolean => FUNCTIONS.has(type) && body !== null

const textOf = (node: unknown): string | undefined => {
  const { name, value } = (node ?? {}) as { readonly name?: unknown; readonly value?: unknown }
  return typeof name === 'string' ? name : typeof value === 'string' ? value : undefined
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

const partsOf = (node: Node): readonly Node[] => Object.values(node).flat().filter(isNode)

const addsPath = (node: Node): boolean =>
  BRANCHES.has(node.type) ||
  (node.type === 'SwitchCase' && isNode(node['test'])) ||
  (node.type === 'AssignmentExpression' && LOGICAL_ASSIGNMENTS.has(String(node['operator'])))

/** Calls `visit` with each node of a function that does not belong to a function inside it. */
const walkOwn = (node: Node, visit: (node: Node) => void): void => {
  for (const part of partsOf(node)) {
    if (isFunction(part)) continue
    visit(part)
    walkOwn(part, visit)
  }
}

const bare = (node: unknown): Node | undefined => {
  if (!isNode(node)) return undefined
  return TYPE_ONLY.has(node.type) ? bare(node['expression']) : node
}

/** Returns the functions of an object literal, and the names of the variables that it lists. */
const membersOf = (
  object: Node,
): { readonly methods: readonly Node[]; readonly names: readonly string[] } => {
  const values = children(object, 'properties').flatMap((property) => bare(property['value']) ?? [])
  const nested = values.filter(({ type }) => type === 'ObjectExpression').map(membersOf)
  return {
    methods: [...values.filter(isFunction), ...nested.flatMap(({ methods }) => methods)],
    names: [
      ...values.flatMap((value) => (value.type === 'Identifier' ? (textOf(value) ?? []) : [])),
      ...nested.flatMap(({ names }) => names),
    ],
  }
}

/** Returns the methods of the objects that a function returns, whether written in the object or declared before it. */
const returnedMethods = (node: Node): readonly Node[] => {
  const returned: (Node | undefined)[] = [bare(node['body'])]
  const declared = new Map<string, Node>()
  walkOwn(node, (own) => {
    if (own.type === 'ReturnStatement') returned.push(bare(own['argument']))
    if (own.type === 'VariableDeclarator' && isNode(own['init']) && isFunction(own['init']))
      declared.set(textOf(own['id']) ?? '', own['init'])
  })
  for (const statement of children(node['body'] as Node, 'body'))
    if (isFunction(statement)) declared.set(textOf(statement['id']) ?? '', statement)
  const objects = returned.flatMap((value) => (value?.type === 'ObjectExpression' ? [membersOf(value)] : []))
  return [
    ...new Set(
      objects.flatMap(({ methods, names }) => [
        ...methods,
        ...names.flatMap((name) => declared.get(name) ?? []),
      ]),
    ),
  ]
}

const named = (node: Node): readonly (readonly [string, Node])[] => {
  const [key, value] =
    node.type === 'VariableDeclarator' ? [node['id'], node['init']] : [node['key'], node['value']]
  const name = textOf(key)
  return name !== undefined && isNode(value) && isFunction(value) ? [[name, value]] : []
}

/** Measures every function of a source, including those inside other functions. */
export const measure = ({ nodes, lineAt }: Source): readonly Measured[] => {
  const names = new Map(nodes.flatMap(named).map(([name, node]) => [node, name] as const))
  const linesOf = (node: Node) => lineAt(Number(node['end'])) - lineAt(node.start) + 1
  return nodes.filter(isFunction).map((node) => {
    let complexity = 1
    walkOwn(node, (own) => {
      if (addsPath(own)) complexity += 1
    })
    const own = linesOf(node)
    const methods = own > 1 ? returnedMethods(node).reduce((total, method) => total + linesOf(method), 0) : 0
    const name = textOf(node['id']) ?? names.get(node) ?? '(anonymous)'
    return { name, line: lineAt(node.start), lines: own - methods, complexity }
  })
}
