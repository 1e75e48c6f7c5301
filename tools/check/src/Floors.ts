import { posix } from 'node:path'
import { FLOORS } from './Directions.ts'
import type { Import, Source } from './Source.ts'
import { folderOf, isTest } from './Workspace.ts'

/** Name of the files directly in `src` that no floor names. They may import every folder, and no folder imports them. */
export const ROOT = ''

/** An import from one folder of a service, or file named by a floor, into another. */
export type Crossing = {
  readonly path: string
  readonly line: number
  readonly from: string
  readonly to: string
  /** Whether the target is on the same floor or on a higher one. */
  readonly isUpward: boolean
}

/** Returns the folder in `src`, or the file named by a floor of the service, to which a path belongs. */
export const unitOf = (path: string): string => {
  const service = folderOf(path)
  const [name = '', ...rest] = path.slice(`${service}/src/`.length).split('/')
  return rest.length > 0 || levelOf(service, name) !== undefined ? name : ROOT
}

/** Returns the floor of a folder or file, counted from below; undefined if it is not declared. */
export const levelOf = (service: string, unit: string): number | undefined => {
  const floors = FLOORS[service] ?? []
  if (unit === ROOT) return floors.length
  const level = floors.findIndex((floor) => floor.includes(unit))
  return level === -1 ? undefined : level
}

const crossingOf = (source: Source, { specifier, line }: Import): readonly Crossing[] => {
  const service = folderOf(source.path)
  const target = posix.join(posix.dirname(source.path), specifier)
  if (!specifier.startsWith('.') || !target.startsWith(`${service}/src/`)) return []
  const [from, to] = [unitOf(source.path), unitOf(target)]
  if (from === to) return []
  const [above, below] = [levelOf(service, from), levelOf(service, to)]
  const isUpward = above === undefined || below === undefined || below >= above
  return [{ path: source.path, line, from, to, isUpward }]
}

/** Returns the imports of a source that cross folders of its service; none for tests and for packages without floors. */
export const crossings = (source: Source): readonly Crossing[] =>
  FLOORS[folderOf(source.path)] === undefined || isTest(source.path)
    ? []
    : source.imports.flatMap((found) => crossingOf(source, found))
