import { type Comment, parseSync } from 'oxc-parser'

/** An import of any form: static, re-export, dynamic, or `import('…')` in a type. */
export type Import = { readonly specifier: string; readonly isType: boolean; readonly line: number }

/** A node of the syntax tree. */
export type Node = { readonly type: string; readonly start: number; readonly [key: string]: unknown }

/** A parsed source file. */
export type Source = {
  readonly path: string
  readonly text: string
  readonly imports: readonly Import[]
  readonly comments: readonly Comment[]
  readonly nodes: readonly Node[]
  /** Returns the line number of a position in the text, counted from 1. */
  lineAt(position: number): number
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

const collect = (value: unknown, into: Node[]): void => {
  if (Array.isArray(value)) {
    for (const item of value) collect(item, into)
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (isNode(value)) into.push(value)
  for (const child of Object.values(value)) collect(child, into)
}

const MODULE_FORMS = [
  'ImportDeclaration',
  'ExportAllDeclaration',
  'ExportNamedDeclaration',
  'ImportExpression',
  'TSImportType',
]

const stringOf = (value: unknown): string | undefined => {
  if (!isNode(value)) return undefined
  if (value.type === 'TSLiteralType') return stringOf(value['literal'])
  return value.type === 'Literal' && typeof value['value'] === 'string' ? value['value'] : undefined
}

const importOf = (node: Node, lineAt: (position: number) => number): readonly Import[] => {
  if (!MODULE_FORMS.includes(node.type)) return []
  const specifier = stringOf(node['source']) ?? stringOf(node['argument'])
  if (specifier === undefined) return []
  const isType =
    node.type === 'TSImportType' || node['importKind'] === 'type' || node['exportKind'] === 'type'
  return [{ specifier, isType, line: lineAt(node.start) }]
}

const createLineAt = (text: string) => {
  const starts = [0]
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) starts.push(end + 1)
  return (position: number): number => {
    let [low, high] = [0, starts.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= position) low = middle
      else high = middle
    }
    return low + 1
  }
}

/** Parses a TypeScript file. Returns its imports, its comments and a flat list of its syntax nodes. */
export const parse = (path: string, text: string): Source => {
  const { program, comments } = parseSync(path, text)
  const nodes: Node[] = []
  collect(program, nodes)
  const lineAt = createLineAt(text)
  return { path, text, comments, nodes, lineAt, imports: nodes.flatMap((node) => importOf(node, lineAt)) }
}
