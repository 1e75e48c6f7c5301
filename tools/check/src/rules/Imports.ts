import { builtinModules } from 'node:module'
import { posix } from 'node:path'
import { type Row, TABLE } from '../Directions.ts'
import type { Rule, Subject, Violation } from '../Rule.ts'
import type { Import, Source } from '../Source.ts'
import { folderOf, isTest, type Package } from '../Workspace.ts'

const BUILTIN = new Set(builtinModules)

/** Returns the package name in an import specifier, such as `@firn/bls` for `@firn/bls/noble`. */
const packageName = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

const isBuiltin = (specifier: string): boolean => specifier.startsWith('node:') || BUILTIN.has(specifier)

type Place = {
  readonly source: Source
  readonly owner: Package
  readonly row: Row
  readonly rootDev: ReadonlySet<string>
}

const relativeBreach = ({ source, owner }: Place, { specifier }: Import): string | undefined => {
  const target = posix.join(posix.dirname(source.path), specifier)
  if (folderOf(target) === owner.folder) return undefined
  return `${owner.name} imports from ${folderOf(target)} by a relative path; import the package by its name`
}

const workspaceBreach = ({ source, owner, row }: Place, target: Package): string | undefined => {
  if (target.folder === owner.folder || row.sources.includes(target.folder)) return undefined
  if (isTest(source.path) && row.tests?.includes(target.folder)) return undefined
  return `${owner.name} must not import ${target.name}: the dependency would point in the wrong direction`
}

const isSubpath = ({ manifest }: Package, name: string): boolean =>
  Object.keys(manifest.imports ?? {}).some((key) => key === name || name.startsWith(key.replace('*', '')))

const undeclared = ({ source, owner, rootDev }: Place, name: string): string | undefined => {
  const { dependencies = {}, devDependencies = {}, peerDependencies = {} } = owner.manifest
  if (name === owner.name || name in dependencies || name in peerDependencies) return undefined
  if (name.startsWith('#'))
    return isSubpath(owner, name)
      ? undefined
      : `${owner.name} does not declare ${name} in the imports of its package.json`
  if (isTest(source.path) && (name in devDependencies || rootDev.has(name))) return undefined
  return `${owner.name} imports ${name}, which its package.json does not list as a ${isTest(source.path) ? 'devDependency' : 'dependency'}`
}

const breaches = (place: Place, found: Import, packages: readonly Package[]): readonly string[] => {
  const { specifier } = found
  if (isBuiltin(specifier)) return []
  if (specifier.startsWith('.')) return [relativeBreach(place, found)].filter((text) => text !== undefined)
  const name = packageName(specifier)
  const target = packages.find((candidate) => candidate.name === name)
  return [target ? workspaceBreach(place, target) : undefined, undeclared(place, name)].filter(
    (text) => text !== undefined,
  )
}

const run = ({ workspace, sources }: Subject) => {
  const violations: Violation[] = []
  const root = workspace.files.includes('package.json') ? JSON.parse(workspace.read('package.json')) : {}
  const rootDev = new Set(Object.keys(root.devDependencies ?? {}))
  let examined = 0
  for (const source of sources) {
    const owner = workspace.packages.find(({ folder }) => folder === folderOf(source.path))
    if (owner === undefined) continue
    const place: Place = { source, owner, row: TABLE[owner.folder] ?? { sources: [] }, rootDev }
    for (const found of source.imports) {
      examined++
      for (const message of breaches(place, found, workspace.packages)) {
        violations.push({ where: `${source.path}:${found.line}`, message })
      }
    }
  }
  return { examined: `${examined} imports`, violations }
}

/**
 * Checks that the dependency table allows every import, of values and of types, and that the importing
 * package declares it in its package.json.
 */
export const imports: Rule = { name: 'imports', run }
