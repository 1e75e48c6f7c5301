import { Hex } from '@firn/codec'

/**
 * Converts a value to the notation of the vectors: bytes become hexadecimal text with the prefix `0x`, and
 * bigints become decimal strings. Other values are unchanged.
 */
export function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return Hex.encode(value)
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]))
}

/**
 * Returns the path and the values of the first difference between two plain values, or undefined if they are
 * equal.
 */
export function firstDifference(
  expected: unknown,
  actual: unknown,
  path = '',
): { readonly path: string; readonly expected: unknown; readonly actual: unknown } | undefined {
  if (Object.is(expected, actual)) return undefined
  if (!isRecord(expected) || !isRecord(actual) || Array.isArray(expected) !== Array.isArray(actual)) {
    return { path, expected, actual }
  }
  for (const name of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    const found = firstDifference(expected[name], actual[name], `${path}.${name}`)
    if (found !== undefined) return found
  }
  return undefined
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
