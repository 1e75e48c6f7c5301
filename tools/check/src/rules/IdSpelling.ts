import type { Rule, Subject, Violation } from '../Rule.ts'
import type { Node, Source } from '../Source.ts'

/**
 * Matches the wire spelling in `nodeID`, `txIDs` and `getIDOf`: an `ID` after a lowercase letter or digit, at
 * the end of a word.
 */
const WIRE_SPELLING = /[a-z0-9]ID(?=s?($|[A-Z_]))/

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value

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

const breachesOf = ({ path, text, nodes, lineAt }: Source): readonly Violation[] => {
  if (!/[a-z0-9]ID/.test(text)) return []
  const names = nodes.flatMap(declared).filter(({ name }) => WIRE_SPELLING.test(name as string))
  const unique = new Map(names.map((one) => [one.start, one]))
  return [...unique.values()].map(({ name, start }) => ({
    where: `${path}:${lineAt(start)}`,
    message: `expected ${(name as string).replace(/ID/g, 'Id')}, got ${name}`,
  }))
}

const run = ({ sources }: Subject) => ({
  examined: `${sources.length} sources`,
  violations: sources.flatMap(breachesOf),
})

/**
 * Checks that variables, parameters, functions and type parameters spell ids as in `nodeId`. The wire
 * spelling (`nodeID`) is allowed only for object keys: in codec layouts, JSON structures, method tables and
 * their types.
 */
export const idSpelling: Rule = { name: 'id spelling', run }
