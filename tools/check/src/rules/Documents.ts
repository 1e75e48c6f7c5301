import { posix } from 'node:path'
import { TABLE } from '../Directions.ts'
import type { Rule, Subject, Violation } from '../Rule.ts'
import type { Workspace } from '../Workspace.ts'

const REQUIRED = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md']
const DIAGRAM = 'ARCHITECTURE.md'

/** Returns the anchor that GitHub gives to a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

const exists = ({ files }: Workspace, path: string): boolean =>
  files.includes(path) || files.some((file) => file.startsWith(`${path}/`))

const isMissing = (workspace: Workspace, from: string, target: string): boolean => {
  const [path = '', anchor] = target.split('#')
  const file = path === '' ? from : posix.join(posix.dirname(from), path)
  if (!exists(workspace, file)) return true
  if (anchor === undefined || !file.endsWith('.md')) return false
  const headings = [...workspace.read(file).matchAll(/^#+ (.+)$/gm)].map((found) => anchorOf(found[1] ?? ''))
  return !headings.includes(anchor)
}

/**
 * Returns the paths in a document that do not exist: link targets, and inline code that starts with a folder
 * of the repository.
 */
const brokenPaths = (workspace: Workspace, file: string): readonly Violation[] =>
  workspace
    .read(file)
    .split('\n')
    .flatMap((line, index) => {
      const links = [...line.matchAll(/\]\((?!\w+:)([^)\s]+)\)/g)].map((found) => found[1] ?? '')
      const code = [
        ...line.matchAll(/`((?:apps|packages|services|tools|examples|\.ci|\.github)\/[\w./-]*)`/g),
      ]
        .map((found) => (found[1] ?? '').replace(/\/$/, ''))
        .filter((path) => path.includes('/'))
      return [
        ...links.filter((target) => isMissing(workspace, file, target)),
        ...code.filter((path) => !exists(workspace, path)),
      ].map((target) => ({ where: `${file}:${index + 1}`, message: `the path ${target} does not exist` }))
    })

type Diagram = {
  readonly folders: ReadonlySet<string>
  readonly edges: readonly (readonly [string, string])[]
}

/**
 * Parses the first mermaid fence of a text: `subgraph` names a top folder, its lines name packages, and `a
 * --> b` is an import.
 */
const readDiagram = (text: string): Diagram => {
  const body = /^```mermaid\n([\s\S]*?)^```/m.exec(text)?.[1] ?? ''
  const groups = new Map<string, string>()
  const pairs: string[][] = []
  let group = ''
  for (const line of body.split('\n')) {
    const started = /^\s*subgraph (\w+)$/.exec(line)?.[1]
    if (started) group = `${started}/`
    if (line.trim() === 'end') group = ''
    if (started || !/^\s+[\w-]+( --> [\w-]+)*$/.test(line) || line.trim() === 'end') continue
    const names = line.trim().split(' --> ')
    const [first = ''] = names
    if (!groups.has(first)) groups.set(first, `${group}${first}`)
    pairs.push(names)
  }
  // A package that is only the target of edges has no folder in the diagram, so its folder is read from the
  // dependency table.
  const folderOf = (name: string): string =>
    groups.get(name) ?? Object.keys(TABLE).find((folder) => folder.endsWith(`/${name}`)) ?? name
  const edges = pairs.flatMap(([from = '', to]) =>
    to === undefined ? [] : [[folderOf(from), folderOf(to)] as const],
  )
  return { folders: new Set([...groups.values(), ...edges.flat()]), edges }
}

const diagramBreaches = (text: string): readonly Violation[] => {
  const { folders, edges } = readDiagram(text)
  const known = Object.keys(TABLE)
  const forbidden = edges.filter(([from, to]) => {
    const row = TABLE[from]
    return row !== undefined && ![...row.sources, ...(row.tests ?? [])].includes(to)
  })
  return [
    ...known.filter((folder) => !folders.has(folder)).map((folder) => `the diagram lacks ${folder}; add it`),
    ...[...folders]
      .filter((folder) => !known.includes(folder))
      .map((folder) => `the diagram has ${folder}, which is not in tools/check/src/Directions.ts`),
    ...forbidden.map(([from, to]) => `the diagram shows that ${from} imports ${to}, which it must not`),
  ].map((message) => ({ where: DIAGRAM, message }))
}

const run = ({ workspace }: Subject) => {
  const present = REQUIRED.filter((file) => workspace.files.includes(file))
  const readme = present.includes('README.md') ? workspace.read('README.md') : ''
  const unlinked = REQUIRED.filter((file) => file !== 'README.md' && !readme.includes(`(${file})`))
  const violations = [
    ...REQUIRED.filter((file) => !present.includes(file)).map((where) => ({ where, message: 'is missing' })),
    ...unlinked.map((file) => ({ where: 'README.md', message: `the README has no link to ${file}` })),
    ...present.flatMap((file) => brokenPaths(workspace, file)),
    ...(present.includes(DIAGRAM) ? diagramBreaches(workspace.read(DIAGRAM)) : []),
  ]
  return { examined: `${present.length} documents`, violations }
}

/**
 * Checks that the documents in the root folder exist, that all paths mentioned in documents exist, and that the
 * diagram contains every package.
 */
export const documents: Rule = { name: 'documents', run }
