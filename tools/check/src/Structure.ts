import { posix } from 'node:path'
import { FLOORS } from './Directions.ts'
import * as Floors from './Floors.ts'
import * as Functions from './Functions.ts'
import { children } from './Modules.ts'
import type { Node, Source } from './Source.ts'
import { folderOf, isTest } from './Workspace.ts'

/** What is counted in each source that is not a test. */
export const KINDS = [
  'long functions',
  'complex functions',
  'long files',
  'casts',
  'rows by hand',
  'upward imports',
  'crowded folders',
] as const
/** A kind of violation, as in {@link KINDS}. */
export type Kind = (typeof KINDS)[number]

/** Upper limits: lines and cyclomatic complexity of a function, lines of a file, and files in a folder of a service. */
export const LIMITS = { functionLines: 80, complexity: 15, fileLines: 350, folderFiles: 25 }

/** A place that exceeds a limit. */
export type Excess = {
  readonly kind: Kind
  readonly path: string
  readonly line: number
  readonly name: string
  /** Lines, complexity or files; 1 for a cast, a row and an import. */
  readonly size: number
}

/** Measures of one folder: lines that contain code, and what exceeds a limit. */
export type Measures = { readonly lines: number; readonly excesses: readonly Excess[] }

const textOf = (source: Source, node: Node): string =>
  source.text.slice(node.start, Math.min(Number(node['end']), node.start + 60)).split('\n')[0] ?? ''

const castOf = (node: Node): boolean => {
  if (node.type !== 'TSAsExpression') return false
  const to = (node['typeAnnotation'] as Node).type
  const inner = node['expression'] as Node
  return (
    to === 'TSAnyKeyword' ||
    (inner.type === 'TSAsExpression' && (inner['typeAnnotation'] as Node).type === 'TSUnknownKeyword')
  )
}

const isSqlTag = (node: Node | undefined): boolean =>
  node?.['name'] === 'sql' || (node?.['property'] as Node | undefined)?.['name'] === 'sql'

/** Returns whether a node is a statement whose row type is asserted, as in `sql<Row>`. */
const rowOf = (node: Node): boolean =>
  (node.type === 'TaggedTemplateExpression' || node.type === 'CallExpression') &&
  isSqlTag((node['tag'] ?? node['callee']) as Node | undefined) &&
  children(node['typeArguments'], 'params').length > 0

const codeLines = ({ text, comments }: Source): number => {
  let code = ''
  let from = 0
  for (const { start, end } of comments) {
    code += text.slice(from, start) + text.slice(start, end).replaceAll(/[^\n]/g, '')
    from = end
  }
  return (code + text.slice(from)).split('\n').filter((line) => line.trim() !== '').length
}

const excessesOf = (source: Source): readonly Excess[] => {
  const { path, text, nodes } = source
  const functions = Functions.measure(source)
  const fileLines = text.trimEnd().split('\n').length
  const at = (kind: Kind, where: (node: Node) => boolean) =>
    nodes.filter(where).map((node) => {
      return { kind, path, line: source.lineAt(node.start), name: textOf(source, node), size: 1 }
    })
  return [
    ...functions
      .filter(({ lines }) => lines > LIMITS.functionLines)
      .map(({ name, line, lines }) => ({ kind: 'long functions', path, line, name, size: lines }) as const),
    ...functions
      .filter(({ complexity }) => complexity > LIMITS.complexity)
      .map(
        ({ name, line, complexity }) =>
          ({ kind: 'complex functions', path, line, name, size: complexity }) as const,
      ),
    ...(fileLines > LIMITS.fileLines
      ? [{ kind: 'long files', path, line: 1, name: '', size: fileLines } as const]
      : []),
    ...at('casts', castOf),
    ...at('rows by hand', rowOf),
    ...Floors.crossings(source)
      .filter(({ isUpward }) => isUpward)
      .map(({ line, from, to }) => {
        const name = `${from} -> ${to === Floors.ROOT ? 'src' : to}`
        return { kind: 'upward imports', path, line, name, size: 1 } as const
      }),
  ]
}

/** Returns the folders of services, and of the console, that have too many files. */
const crowdedOf = (paths: readonly string[]): readonly Excess[] => {
  const folders = new Map<string, number>()
  for (const path of paths) {
    const folder = posix.dirname(path)
    if (FLOORS[folderOf(path)] !== undefined) folders.set(folder, (folders.get(folder) ?? 0) + 1)
  }
  return [...folders]
    .filter(([, size]) => size > LIMITS.folderFiles)
    .map(([path, size]) => ({ kind: 'crowded folders', path, line: 1, name: '', size }))
}

/** Measures the sources of each folder, without tests and generated files. */
export const measure = (sources: readonly Source[]): ReadonlyMap<string, Measures> => {
  const folders = new Map<string, { lines: number; excesses: Excess[] }>()
  for (const source of sources) {
    if (isTest(source.path)) continue
    const folder = folderOf(source.path)
    const measures = folders.get(folder) ?? { lines: 0, excesses: [] }
    measures.lines += codeLines(source)
    measures.excesses.push(...excessesOf(source))
    folders.set(folder, measures)
  }
  const paths = sources.map(({ path }) => path).filter((path) => !isTest(path))
  for (const excess of crowdedOf(paths)) folders.get(folderOf(excess.path))?.excesses.push(excess)
  return folders
}

/** Returns the number of excesses of a kind. */
export const count = ({ excesses }: Measures, kind: Kind): number =>
  excesses.filter((excess) => excess.kind === kind).length

/** Formats a Markdown table of all folders and their sum, and the places that exceed a limit, largest first. */
export const format = (folders: ReadonlyMap<string, Measures>): string => {
  const all = [...folders.values()]
  const sum = {
    lines: all.reduce((total, { lines }) => total + lines, 0),
    excesses: all.flatMap(({ excesses }) => excesses),
  }
  const row = (name: string, measures: Measures) =>
    `| ${[name, measures.lines, ...KINDS.map((kind) => count(measures, kind))].join(' | ')} |`
  const places = KINDS.filter((kind) => kind !== 'rows by hand').flatMap((kind) => {
    const found = sum.excesses.filter((excess) => excess.kind === kind)
    const sorted = found.toSorted((one, other) => other.size - one.size)
    return [
      `\n${kind}:`,
      ...sorted.map(({ path, line, name, size }) => `  ${size}  ${path}:${line}  ${name}`),
    ]
  })
  return [
    `| folder | code lines | ${KINDS.join(' | ')} |`,
    `|---|${'---:|'.repeat(KINDS.length + 1)}`,
    ...[...folders].sort().map(([folder, measures]) => row(folder, measures)),
    row('all', sum),
    ...places,
  ].join('\n')
}
