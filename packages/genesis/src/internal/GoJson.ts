import { excerpt, foldName, isJsonObject, Json } from '@firn/codec'
import { GenesisError } from '../GenesisError.ts'

/**
 * A JSON value as Go's decoder reads it. Integers of any size are `bigint`. All other numbers are `number`, which no
 * field accepts.
 */
export type GoJson = null | boolean | bigint | number | string | readonly GoJson[] | GoObject
export type GoObject = { readonly [member: string]: GoJson }

/** Maximum nesting depth. Real genesis files are far less nested. */
const MAX_DEPTH = 200

/** A surrogate in a string, also as an escape. */
const SURROGATE = /\p{Surrogate}|\\u[dD][89a-fA-F]/u

/**
 * Parses a JSON text.
 * @throws GenesisError `GENESIS_JSON`
 */
export function parse(text: string): GoJson {
  try {
    const json = Json.parseBigInts(text, { depth: MAX_DEPTH }) as GoJson
    return SURROGATE.test(text) ? wellFormed(json) : json
  } catch (cause) {
    throw new GenesisError('GENESIS_JSON', (cause as Error).message, { cause, details: { path: '' } })
  }
}

/** Replaces lone surrogates in all values by U+FFFD, as Go does. */
function wellFormed(json: GoJson): GoJson {
  if (typeof json === 'string') return json.toWellFormed()
  if (Array.isArray(json)) return json.map(wellFormed)
  if (!isObject(json)) return json
  return Object.fromEntries(Object.entries(json).map(([name, member]) => [name, wellFormed(member)]))
}

/** Decodes bytes to text as Go does; invalid UTF-8 becomes U+FFFD. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

/** Returns whether a value is a JSON object. */
export function isObject(value: GoJson | undefined): value is GoObject {
  return isJsonObject(value)
}

/** Members of an object. Names match in any case, as in Go. A member that is `null` counts as missing. */
export interface Members {
  readonly path: string
  get(name: string): GoJson | undefined
}

/**
 * Returns the members of `value`; `null` has no members.
 * @throws GenesisError `GENESIS_JSON`
 */
export function members(value: GoJson | undefined, path: string): Members {
  if (value !== null && value !== undefined && !isObject(value)) throw malformed(path, 'an object', value)
  const byName = new Map<string, GoJson>()
  for (const [name, member] of Object.entries(value ?? {})) {
    if (member !== null) byName.set(foldName(name), member)
  }
  return { path, get: (name) => byName.get(foldName(name)) }
}

/** Returns the path of a member, for use in errors. */
export function at(path: string, name: string | number): string {
  if (typeof name === 'number') return `${path}[${name}]`
  return path === '' ? name : `${path}.${name}`
}

/** Reads a string member; returns an empty string if it is absent. */
export function text(from: Members, name: string): string {
  const value = from.get(name) ?? ''
  if (typeof value !== 'string') throw malformed(at(from.path, name), 'a string', value)
  return value
}

/** Reads a boolean member; returns false if it is absent. */
export function flag(from: Members, name: string): boolean {
  const value = from.get(name) ?? false
  if (typeof value !== 'boolean') throw malformed(at(from.path, name), 'true or false', value)
  return value
}

/** Reads a non-negative integer member of at most `bits` bits; returns undefined if it is absent. */
export function natural(from: Members, name: string, bits = 64): bigint | undefined {
  const value = from.get(name)
  if (value === undefined) return undefined
  if (typeof value === 'bigint' && BigInt.asUintN(bits, value) === value) return value
  throw malformed(at(from.path, name), `a non-negative integer of at most ${bits} bits`, value)
}

/** Reads an integer member of any size; returns undefined if it is absent. */
export function integer(from: Members, name: string): bigint | undefined {
  const value = from.get(name)
  if (value === undefined || typeof value === 'bigint') return value
  throw malformed(at(from.path, name), 'an integer', value)
}

/** Reads an array member and converts each item with `read`; returns an empty array if it is absent. */
export function list<T>(from: Members, name: string, read: (value: GoJson, path: string) => T): T[] {
  const value = from.get(name) ?? []
  const path = at(from.path, name)
  if (!Array.isArray(value)) throw malformed(path, 'an array', value)
  return (value as readonly GoJson[]).map((item, i) => read(item, at(path, i)))
}

/** Returns the error for a value of the wrong type. */
export function malformed(path: string, expected: string, got: unknown): GenesisError {
  const place = path === '' ? '' : ` (in ${path})`
  return new GenesisError('GENESIS_JSON', `expected ${expected}, got ${describe(got)}${place}`, {
    details: { path },
  })
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' && value !== null ? 'an object' : excerpt(value)
}
