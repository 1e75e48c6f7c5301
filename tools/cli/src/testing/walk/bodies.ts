const MAKERS = {
  digits: (bytes) => '9'.repeat(bytes),
  decimals: (bytes) => `0.${'9'.repeat(bytes)}`,
  power: () => '1e9999999',
  powers: (bytes) => list('1e308', bytes),
  numbers: (bytes) => list('1', bytes),
  integers: (bytes) => list('18446744073709551615', bytes),
  keys: (bytes) => `{${counted(bytes, (index) => `"${index}":0`)}}`,
  'one key': (bytes) => `{"${'k'.repeat(bytes)}":0}`,
  duplicates: (bytes) => `{${counted(bytes, () => '"a":0')}}`,
  nesting: (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  objects: (bytes) => `${'{"a":'.repeat(bytes / 6)}0${'}'.repeat(bytes / 6)}`,
  unclosed: (bytes) => '['.repeat(bytes),
  escapes: (bytes) => `"${'\\u00e9'.repeat(bytes / 6)}"`,
  text: (bytes) => `"${'a'.repeat(bytes)}"`,
  texts: (bytes) => list('"abcdef"', bytes),
  base58: (bytes) => `"${'2'.repeat(bytes)}"`,
  'node id': (bytes) => `"NodeID-${'2'.repeat(bytes)}"`,
  address: (bytes) => `"P-local1${'q'.repeat(bytes)}"`,
  hex: (bytes) => `"0x${'11'.repeat(bytes / 2)}"`,
} as const satisfies Readonly<Record<string, (bytes: number) => string>>

/** A kind of JSON value that is dear to parse, check or decode. For tests only. */
export type Value = keyof typeof MAKERS

/** All kinds of values. For tests only. */
export const VALUES = Object.keys(MAKERS) as readonly Value[]

/**
 * Returns how many times a request may cost more than others, compared with `JSON.parse`. Integers of 64 bits are kept
 * exact, while `JSON.parse` rounds them. Each id ends with a checksum, so that decoding it takes a SHA-256 and eight times
 * as long as parsing its text. For tests only.
 */
export function weightOf(request: string): number {
  if (request.endsWith('integers')) return 3
  return request.endsWith(' long ids') ? 1.5 : 1
}

const made = new Map<string, string>()

/** Returns a value of about `bytes` bytes. Values are kept, because they are sent to many routes. For tests only. */
export function make(value: Value, bytes: number): string {
  const key = `${value} ${bytes}`
  const text = made.get(key) ?? MAKERS[value](bytes)
  made.set(key, text)
  return text
}

/** Returns a JSON list of about `bytes` bytes that repeats an item. For tests only. */
export function list(item: string, bytes: number): string {
  return `[${`${item},`.repeat(bytes / (item.length + 1))}${item}]`
}

function counted(bytes: number, member: (index: number) => string): string {
  const members: string[] = []
  for (let size = 0; size < bytes; size += (members.at(-1) ?? '').length + 1)
    members.push(member(members.length))
  return members.join(',')
}
