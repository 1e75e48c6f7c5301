import { readFile, stat } from 'node:fs/promises'
import { excerpt, Id } from '@firn/codec'
import type { TSchema } from 'typebox'
import { Check } from 'typebox/schema'
import { Value } from 'typebox/value'
import { DataApiError } from '../http/endpoint/DataApiError.ts'
import { EXPECTED, type MetadataFile, MetadataSchema } from './MetadataSchema.ts'

/** Maximum size of a metadata file in bytes. */
const MAX_BYTES = 64 << 20

/**
 * Reads the operator's metadata file.
 * @throws DataApiError `DATA_CONFIGURATION` with the place of the first problem
 */
export async function read(path: string): Promise<MetadataFile> {
  try {
    const { size } = await stat(path)
    if (size > MAX_BYTES) throw invalid(`expected at most ${MAX_BYTES} bytes, got ${size}`)
    return parse(await readFile(path, 'utf8'))
  } catch (cause) {
    throw new DataApiError('DATA_CONFIGURATION', `${path}: ${(cause as Error).message}`, { cause })
  }
}

/**
 * Parses the text of a metadata file.
 * @throws DataApiError `DATA_CONFIGURATION` with the place of the first problem
 */
export function parse(text: string): MetadataFile {
  const value: unknown = JSON.parse(text)
  if (!Check(MetadataSchema, value)) throw invalid(problem(value))
  for (const [chainId, { blockchainId, subnetId, vmId }] of Object.entries(value.chains ?? {})) {
    const ids = { blockchainId, subnetId, vmId }
    for (const [name, id] of Object.entries(ids)) assertId(`chains.${chainId}.${name}`, id)
  }
  for (const id of Object.keys(value.subnets ?? {})) assertId(`subnets.${id}`, id)
  for (const id of Object.keys(value.assets ?? {})) assertId(`assets.${id}`, id)
  return value
}

function assertId(place: string, id: string | undefined): void {
  if (id === undefined) return
  try {
    Id.parse(id)
  } catch (cause) {
    throw invalid(`${place}: ${(cause as Error).message}`)
  }
}

/** Describes the first problem of a value, with its place and what the file has there. */
function problem(value: unknown): string {
  const errors = Value.Errors(MetadataSchema, value)
  // A rejected member is reported twice, and only by the second error with what is wrong.
  const error = errors.find(({ keyword }) => keyword !== 'boolean') ?? errors[0]
  const path = error?.instancePath.split('/').slice(1).map(decodePart) ?? []
  const place = path.length === 0 ? 'the file' : path.map(shown).join('.')
  if (error?.keyword === 'additionalProperties') {
    const { additionalProperties: names } = error.params as {
      readonly additionalProperties: readonly string[]
    }
    return `${place}: expected no member ${names.slice(0, 3).map(shown).join(', ')}`
  }
  const found = path.reduce<unknown>((at, part) => (at as Record<string, unknown>)?.[part], value)
  const expected = expectedAt(MetadataSchema, path) ?? error?.message ?? 'is invalid'
  return `${place}: ${expected}, got ${excerpt(found)}`
}

interface Node extends TSchema {
  readonly properties?: Readonly<Record<string, Node>>
  readonly patternProperties?: Readonly<Record<string, Node>>
  readonly items?: Node
  readonly enum?: readonly string[]
  readonly [EXPECTED]?: string
}

/** Returns the description in the schema of the value at a place, if there is one. */
function expectedAt(schema: TSchema, path: readonly string[]): string | undefined {
  const node = path.reduce<Node | undefined>((at, part) => {
    const { properties, patternProperties, items } = at ?? {}
    if (properties !== undefined) return Object.hasOwn(properties, part) ? properties[part] : undefined
    return items ?? Object.values(patternProperties ?? {})[0]
  }, schema)
  if (node?.enum !== undefined) return `expected one of ${node.enum.join(', ')}`
  return node?.[EXPECTED] && `expected ${node[EXPECTED]}`
}

/** Returns a part of a place. Parts with unusual characters are quoted. */
function shown(part: string): string {
  return /^[\w.:-]{1,80}$/.test(part) ? part : excerpt(part)
}

/** Decodes a part of a JSON pointer (RFC 6901). */
function decodePart(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}

function invalid(message: string): DataApiError {
  return new DataApiError('DATA_CONFIGURATION', message)
}
