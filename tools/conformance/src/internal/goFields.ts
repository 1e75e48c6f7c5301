import { Hex } from '@firn/codec'

/** Prefixes of Firn's type names, by the package of the reference. */
const PREFIXES: Readonly<Record<string, string>> = { nftfx: 'Nft', propertyfx: 'Property' }

/**
 * Flattens a value of Firn into type names, list lengths and leaf values in wire order. The result equals the
 * result of {@link ofDump} for the reference's dump of the same value. Field names are omitted, because they
 * differ.
 */
export function ofValue(value: unknown): string[] {
  if (value instanceof Uint8Array) return [Hex.encode(value)]
  if (Array.isArray(value)) return [`list of length ${value.length}`, ...value.flatMap(ofValue)]
  if (typeof value !== 'object' || value === null) return [leaf(value)]
  return Object.entries(value).flatMap(([name, member]) =>
    name === 'type' ? [`type ${member}`] : ofValue(member),
  )
}

/**
 * Flattens the reference's dump of a value in wire order. See the README of the vectors: `$type` is the Go
 * type.
 */
export function ofDump(dump: unknown): string[] {
  if (Array.isArray(dump)) return [`list of length ${dump.length}`, ...dump.flatMap(ofDump)]
  if (typeof dump !== 'object' || dump === null) return [leaf(dump)]
  return Object.entries(dump).flatMap(([name, member]) => {
    if (name === '$type') return [`type ${typeName(String(member))}`]
    return name === '$typeID' ? [] : ofDump(member)
  })
}

function typeName(goType: string): string {
  const [group = '', name = ''] = goType.replace('*', '').split('.')
  return (PREFIXES[group] ?? '') + name.replace(/^Unsigned/, '')
}

/** Returns a leaf value as text. In the reference's dumps, U+FFFD replaces invalid UTF-8. */
function leaf(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed() : String(value)
}
