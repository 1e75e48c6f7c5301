import { Hex } from '@firn/codec'

/** How the packages of the reference show in the names of our types. */
const PREFIXES: Readonly<Record<string, string>> = { nftfx: 'Nft', propertyfx: 'Property' }

/**
 * The contents of one of our values in wire order: names of types, lengths of lists, and the values themselves. Equal to
 * {@link ofDump} of the reference's dump of the same value, whose names of fields are others.
 */
export function ofValue(value: unknown): string[] {
  if (value instanceof Uint8Array) return [Hex.encode(value)]
  if (Array.isArray(value)) return [`list of ${value.length}`, ...value.flatMap(ofValue)]
  if (typeof value !== 'object' || value === null) return [leaf(value)]
  return Object.entries(value).flatMap(([name, member]) =>
    name === 'type' ? [`type ${member}`] : ofValue(member),
  )
}

/** The contents of the reference's dump of a value (README of the vectors: `$type` is the Go type), in wire order. */
export function ofDump(dump: unknown): string[] {
  if (Array.isArray(dump)) return [`list of ${dump.length}`, ...dump.flatMap(ofDump)]
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

/** Texts that are no UTF-8 stand in the dumps with U+FFFD. */
function leaf(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed() : String(value)
}
