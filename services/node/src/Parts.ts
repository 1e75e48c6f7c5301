import { readFileSync } from 'node:fs'
import { Id } from '@firn/codec'
import type { Chains } from '@firn/node-api'
import { ConfigurationFile, kebab } from '@firn/options'
import { type Configuration, wrong } from './Configuration.ts'

type FileOption = 'chainAliasesFile' | 'vmAliasesFile'

/**
 * Reads aliases from a JSON file that maps ids to lists of names, or from the same JSON in base64. Returns no
 * aliases if neither option is given.
 * @throws NodeError `NODE_CONFIGURATION`
 */
export function furtherNames(configuration: Configuration, option: FileOption): Chains.FurtherNames {
  const content = configuration[`${option}Content`]
  const path = configuration[option]
  if (content !== '')
    return parse(Buffer.from(content, 'base64').toString('utf8'), `${kebab(option)}-content`)
  if (path === '') return new Map()
  return parse(
    ConfigurationFile.readText(path, kebab(option), (file) => readFileSync(file, 'utf8')),
    kebab(option),
  )
}

function parse(text: string, place: string): Chains.FurtherNames {
  const expected = `${place}: expected JSON like {"<id>":["name"]}`
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw wrong(`${expected} (${(cause as Error).message})`, cause)
  }
  if (typeof json !== 'object' || json === null) throw wrong(expected)
  for (const [id, names] of Object.entries(json)) {
    if (!isId(id)) throw wrong(`${expected}, got the id ${JSON.stringify(id)}`)
    if (!Array.isArray(names) || names.some((name) => typeof name !== 'string'))
      throw wrong(`${expected}, got ${JSON.stringify(names)} for ${id}`)
  }
  return new Map(Object.entries(json) as [string, string[]][])
}

function isId(text: string): boolean {
  try {
    return Id.parse(text).length === 32
  } catch {
    return false
  }
}

/**
 * Returns the ids of the subnets in `--track-subnets`, 32 bytes each.
 * @throws NodeError `NODE_CONFIGURATION`
 */
export function trackedSubnets({ trackSubnets }: Configuration): readonly Uint8Array[] {
  return trackSubnets.map((text) => {
    try {
      return Id.parse(text)
    } catch (cause) {
      throw wrong(`track-subnets: expected subnet ids in cb58, got ${JSON.stringify(text)}`, cause)
    }
  })
}

/** Returns the type and location of the ledger's database, without secrets. */
export function database({ databaseUrl, dbDir }: Configuration): {
  readonly name: string
  readonly path: string
} {
  return databaseUrl === undefined
    ? { name: 'pglite', path: dbDir }
    : { name: 'postgresql', path: placeOf(databaseUrl) }
}

/** Returns aliases in the format of the node's configuration. */
export function toJSON(names: Chains.FurtherNames): Readonly<Record<string, readonly string[]>> | null {
  return names.size === 0 ? null : Object.fromEntries(names)
}

/** Returns the host and name of a database, without user and password. */
function placeOf(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl)) return ''
  const { host, pathname } = new URL(databaseUrl)
  return host + pathname
}
