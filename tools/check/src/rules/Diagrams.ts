import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FLOORS } from '../Directions.ts'
import * as Floors from '../Floors.ts'
import * as Graph from '../Graph.ts'
import type { Rule, Subject } from '../Rule.ts'
import { folderOf, isTest, type Workspace } from '../Workspace.ts'

const FILE = 'ARCHITECTURE.md'
const COMMAND = 'npm run diagrams'
const PLACE = /(<!-- imports: (\S+) -->\n)[\s\S]*?(<!-- \/imports -->)/g

const arrows = (graph: Graph.Graph, indent: string, names: readonly string[] = [...graph.keys()]) =>
  names.flatMap((from) => {
    const targets = [...(graph.get(from) ?? [])].sort()
    return targets.length === 0 ? [`${indent}${from}`] : targets.map((to) => `${indent}${from} --> ${to}`)
  })

const fence = (lines: readonly string[]): string =>
  ['```mermaid', 'flowchart BT', ...lines, '```', ''].join('\n')

/** Returns the name of a package in the diagram, such as `codec` for `packages/codec`. */
const nameOf = (folder: string): string => folder.slice(folder.indexOf('/') + 1)

const packages = ({ workspace, sources }: Subject): string => {
  const folders = new Map(workspace.packages.map(({ name, folder }) => [name, folder]))
  const edges = sources
    .filter(({ path }) => !isTest(path))
    .flatMap(({ path, imports }) =>
      imports.flatMap(({ specifier }) => {
        const to = folders.get(specifier.split('/').slice(0, 2).join('/'))
        return to === undefined ? [] : [[nameOf(folderOf(path)), nameOf(to)] as const]
      }),
    )
  const graph = Graph.reduce(Graph.create([...folders.values()].map(nameOf), edges))
  const groups = Map.groupBy(folders.values(), (folder) => (folder.includes('/') ? folder.split('/')[0] : ''))
  return fence(
    [...groups].flatMap(([group, members]) =>
      group === ''
        ? arrows(graph, '  ', members)
        : [`  subgraph ${group}`, ...arrows(graph, '    ', members.map(nameOf)), '  end'],
    ),
  )
}

/**
 * Draws imports to lower floors, without those that follow from others, and every other import as a dotted arrow.
 * Files named by a floor are drawn if they import folders.
 */
const service = ({ sources }: Subject, folder: string): string => {
  const all = sources.filter(({ path }) => folderOf(path) === folder).flatMap(Floors.crossings)
  const isFolder = (unit: string) => !/\.tsx?$/.test(unit)
  const importers = new Set(all.filter(({ to }) => isFolder(to)).map(({ from }) => from))
  const isDrawn = (unit: string) => isFolder(unit) || importers.has(unit)
  const labelOf = (unit: string) => (unit === Floors.ROOT ? nameOf(folder) : unit.replace(/\.tsx?$/, ''))
  const edges = (isUpward: boolean) =>
    all
      .filter((crossing) => crossing.isUpward === isUpward && isDrawn(crossing.from) && isDrawn(crossing.to))
      .map(({ from, to }) => [labelOf(from), labelOf(to)] as const)
  const units = [Floors.ROOT, ...(FLOORS[folder] ?? []).flat().filter(isDrawn).toReversed()]
  const graph = Graph.reduce(Graph.create(units.map(labelOf), edges(false)))
  const dotted = new Set(edges(true).map(([from, to]) => `  ${from} -.-> ${to}`))
  return fence([...arrows(graph, '  '), ...[...dotted].sort()])
}

/** Returns the text of ARCHITECTURE.md with all its diagrams of imports drawn again. */
const draw = (subject: Subject, text: string): string =>
  text.replaceAll(PLACE, (_, start: string, subjectName: string, end: string) => {
    const body = subjectName === 'packages' ? packages(subject) : service(subject, subjectName)
    return `${start}${body}${end}`
  })

const textOf = ({ files, read }: Workspace): string => (files.includes(FILE) ? read(FILE) : '')

/** Draws the diagrams of ARCHITECTURE.md. */
export const write = (subject: Subject): void =>
  writeFileSync(join(subject.workspace.root, FILE), draw(subject, textOf(subject.workspace)))

const run = (subject: Subject) => {
  const text = textOf(subject.workspace)
  const current = draw(subject, text).split('\n')
  const drawn = new Set([...text.matchAll(PLACE)].map(([, , name]) => name))
  const wanted = subject.workspace.packages.map(({ folder }) => folder).filter((folder) => FLOORS[folder])
  const lines = text.split('\n')
  const at = current.findIndex((line, index) => line !== lines[index])
  const stale =
    at === -1 ? [] : [{ where: `${FILE}:${at + 1}`, message: `the imports have changed; run ${COMMAND}` }]
  const absent = ['packages', ...wanted].filter((name) => !drawn.has(name))
  return {
    examined: `${drawn.size} diagrams`,
    violations: [
      ...stale,
      ...absent.map((name) => ({
        where: FILE,
        message: `has no diagram of ${name}; add <!-- imports: ${name} --> and <!-- /imports -->, and run ${COMMAND}`,
      })),
    ],
  }
}

/** Checks that ARCHITECTURE.md shows the imports of packages, and of the folders of each service, as they are. */
export const diagrams: Rule = { name: 'diagrams', run }
