import type { Rule, Subject, Violation } from '../Rule.ts'
import type { Node, Source } from '../Source.ts'

/**
 * Matches the wire spelling in `nodeID`, `txIDs` and `getIDOf`: an `ID` after a lowercase letter or digit, at
 * the end of a word.
 */
const WIRE_SPELLING = /[a-z0-9]ID(?=s?($|[A-Z_]))/

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value

const nameOf = (value: unknown): unknown => (isNode(value) ? value['name'] : undefined)

/** Returns the identifiers that a destructuring pattern declares. */
const bound = (pattern: unknown): readonly Node[] => {
  if (!isNode(pattern)) return []
  switch (pattern.type) {
    case 'Identifier':
      return [pattern]
    case 'ObjectPattern':
      return (pattern['properties'] as readonly Node[]).flatMap((one) =>
        bound(one['value'] ?? one['argument']),
      )
    case 'ArrayPattern':
      return (pattern['elements'] as readonly unknown[]).flatMap(bound)
    case 'AssignmentPattern':
      return bound(pattern['left'])
    case 'RestElement':
      return bound(pattern['argument'])
    case 'TSParameterProperty':
      return bound(pattern['parameter'])
    default:
      return []
  }
}

/** Returns the local names that a node declares: variables, functions, parameters and type parameters. */
const declared = (node: Node): readonly Node[] => {
  const parameters = Array.isArray(node['params']) ? node['params'].flatMap(bound) : []
  if (node.type === 'VariableDeclarator' || node.type === 'FunctionDeclaration')
    return [...bound(node['id']), ...parameters]
  return node.type === 'TSTypeParameter' ? bound(node['name']) : parameters
}

/**
 * Returns the keys that no wire or JSON structure declares: class fields, members of an error's `details`,
 * and members of types that hold bytes or numbers, which ids in JSON are not. Types of packages/txs may name
 * them after the members of its codecs, and tests may declare the structure of recorded JSON.
 */
const keys = (node: Node, { path, text }: Source): readonly Node[] => {
  const value = node['value'] ?? node['init']
  const name = nameOf(node['key'] ?? node['id'])
  if (name === 'details' && isNode(value) && value.type === 'ObjectExpression')
    return (value['properties'] as readonly Node[]).flatMap(({ key }) => bound(key))
  if (node.type === 'PropertyDefinition') return bound(node['key'])
  const isWire = path.startsWith('packages/txs/') || path.endsWith('.test.ts')
  if (node.type !== 'TSPropertySignature' || isWire) return []
  return /\b(Uint8Array|bigint|number)\b/.test(text.slice(node.start, node['end'] as number))
    ? bound(node['key'])
    : []
}

/** Returns the aliases of columns in SQL. */
const aliases = (node: Node): readonly string[] => {
  if (node.type !== 'TemplateElement') return []
  const { raw } = node['value'] as { readonly raw: string }
  return Array.from(raw.matchAll(/\bas "(\w+)"/g), ([, alias]) => alias as string)
}

const breachesOf = (source: Source): readonly Violation[] => {
  const { path, text, nodes, lineAt } = source
  if (!/[a-z0-9]ID/.test(text)) return []
  const names = nodes.flatMap((node) => [
    ...[...declared(node), ...keys(node, source)].map(({ name, start }) => [name as string, start] as const),
    ...aliases(node).map((alias) => [alias, node.start] as const),
  ])
  const wrong = names.filter(([name]) => WIRE_SPELLING.test(name))
  const unique = new Map(wrong.map(([name, start]) => [`${name} ${start}`, [name, start] as const]))
  return [...unique.values()].map(([name, start]) => ({
    where: `${path}:${lineAt(start)}`,
    message: `expected ${name.replace(/ID/g, 'Id')}, got ${name}`,
  }))
}

const run = ({ sources }: Subject) => ({
  examined: `${sources.length} sources`,
  violations: sources.flatMap(breachesOf),
})

/**
 * Checks that variables, parameters, functions, type parameters, SQL aliases, error details and the members
 * of types spell ids as in `nodeId`. The wire spelling (`nodeID`) is allowed only for keys of codec layouts,
 * JSON structures, method tables and their types.
 */
export const idSpelling: Rule = { name: 'id spelling', run }
