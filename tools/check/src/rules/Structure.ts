import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding, Rule, Subject, Violation } from '../Rule.ts'
import * as Structure from '../Structure.ts'

/** Number of places of each kind that a folder still has. A number may only fall; the file goes when it is empty. */
const HELD = 'tools/check/structure.json'
const COMMAND = 'node --conditions=source tools/check/src/main.ts --lower-structure'

type Held = Readonly<Record<string, Partial<Readonly<Record<Structure.Kind, number>>>>>

const heldOf = ({ workspace }: Subject): Held =>
  workspace.files.includes(HELD) ? (JSON.parse(workspace.read(HELD)) as Held) : {}

const ADVICE: Readonly<Record<Structure.Kind, string>> = {
  'long functions': `lines, but a function may have at most ${Structure.LIMITS.functionLines}; give a part of it a name`,
  'complex functions': `paths, but a function may have at most ${Structure.LIMITS.complexity}; give a decision a name`,
  'long files': `lines, but a file may have at most ${Structure.LIMITS.fileLines}; move one concept to its own file`,
  casts: 'cast that the compiler cannot check; declare the type where the value is made',
  'rows by hand': 'statement whose row type is written by hand; take the row from the declared table',
  'upward imports': 'import that does not point to a lower floor of FLOORS in Directions.ts',
  'crowded folders': `files, but a folder of a service may have at most ${Structure.LIMITS.folderFiles}; give a part of them a folder`,
}

const violationsOf = (
  folder: string,
  kind: Structure.Kind,
  measures: Structure.Measures,
  held: number,
): readonly Violation[] => {
  const places = measures.excesses.filter((excess) => excess.kind === kind)
  if (places.length < held) {
    const message = `${places.length} ${kind} are left of ${held}; keep the number with ${COMMAND}`
    return [{ where: folder, message }]
  }
  if (places.length === held) return []
  if (held > 0) {
    const message = `${places.length} ${kind}, but the folder is held to ${held}; npm run structure lists them`
    return [{ where: folder, message }]
  }
  return places.map(({ path, line, name, size }) => ({
    where: `${path}:${line}`,
    message: `${name === '' ? '' : `${name}: `}${size} ${ADVICE[kind]}`,
  }))
}

const run = (subject: Subject): Finding => {
  const held = heldOf(subject)
  const folders = Structure.measure(subject.sources)
  const absent = Object.keys(held).filter((folder) => !folders.has(folder))
  const excesses = [...folders.values()].flatMap((measures) => measures.excesses)
  return {
    examined: `${folders.size} folders${excesses.length === 0 ? '' : `, ${excesses.length} places held`}`,
    violations: [
      ...absent.map((folder) => ({ where: HELD, message: `${folder} has no sources; remove it` })),
      ...[...folders].flatMap(([folder, measures]) =>
        Structure.KINDS.flatMap((kind) => violationsOf(folder, kind, measures, held[folder]?.[kind] ?? 0)),
      ),
    ],
  }
}

/** Lowers the held numbers to the present ones, and never raises one. */
export const lower = (subject: Subject): void => {
  const held = heldOf(subject)
  const folders = [...Structure.measure(subject.sources)].flatMap(([folder, measures]) => {
    const counts = Structure.KINDS.flatMap((kind) => {
      const number = Math.min(held[folder]?.[kind] ?? 0, Structure.count(measures, kind))
      return number === 0 ? [] : [[kind, number] as const]
    })
    return counts.length === 0 ? [] : [[folder, Object.fromEntries(counts)] as const]
  })
  const text = JSON.stringify(Object.fromEntries(folders.sort()), null, 2)
  writeFileSync(join(subject.workspace.root, HELD), `${text}\n`)
}

/**
 * Checks that functions and files are short, functions have few paths, folders of services have few files and import
 * from lower floors only, and neither casts nor rows bypass the compiler. A folder may keep the places that it has in `structure.json`.
 */
export const structure: Rule = { name: 'structure', run }
