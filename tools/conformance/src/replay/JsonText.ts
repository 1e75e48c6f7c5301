import { ConformanceError } from '../ConformanceError.ts'

/**
 * A parsed JSON text that keeps every name and value as written. Two such texts can be compared with some
 * members masked. {@link format} returns the text without white space.
 */
export type JsonText =
  | { readonly kind: 'object'; readonly members: readonly Member[] }
  | { readonly kind: 'array'; readonly elements: readonly JsonText[] }
  | { readonly kind: 'literal'; readonly text: string }

/** A member of an object. The name is kept as written, including the quotes. */
export interface Member {
  readonly name: string
  readonly value: JsonText
}

/**
 * The first difference between two texts: the path and both values. A value is undefined if it is missing.
 */
export interface Difference {
  readonly path: string
  readonly expected: string | undefined
  readonly actual: string | undefined
}

const TOKEN =
  /[ \t\r\n]*([[\]{}:,]|"(?:[^"\\]|\\.)*"|true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)/y
const MAX_DEPTH = 200

interface Reader {
  readonly text: string
  offset: number
}

function malformed(reader: Reader): ConformanceError {
  return new ConformanceError('CONFORMANCE_CASE', `invalid JSON at offset ${reader.offset}`)
}

function peek(reader: Reader): string {
  TOKEN.lastIndex = reader.offset
  return TOKEN.exec(reader.text)?.[1] ?? ''
}

function next(reader: Reader, expected?: string): string {
  TOKEN.lastIndex = reader.offset
  const found = TOKEN.exec(reader.text)
  const token = found?.[1]
  if (token === undefined || (expected !== undefined && token !== expected)) throw malformed(reader)
  reader.offset = TOKEN.lastIndex
  return token
}

/** Reads items separated by commas up to `end`. */
function list<T>(reader: Reader, end: string, item: () => T): T[] {
  const items: T[] = []
  if (peek(reader) !== end) {
    items.push(item())
    while (peek(reader) === ',') {
      next(reader, ',')
      items.push(item())
    }
  }
  next(reader, end)
  return items
}

function value(reader: Reader, depth: number): JsonText {
  if (depth > MAX_DEPTH) throw malformed(reader)
  const token = next(reader)
  if (token === '{') {
    const members = list(reader, '}', () => {
      const name = next(reader)
      if (!name.startsWith('"')) throw malformed(reader)
      next(reader, ':')
      return { name, value: value(reader, depth + 1) }
    })
    return { kind: 'object', members }
  }
  if (token === '[') return { kind: 'array', elements: list(reader, ']', () => value(reader, depth + 1)) }
  if (']}:,'.includes(token)) throw malformed(reader)
  return { kind: 'literal', text: token }
}

/**
 * Parses a JSON text.
 * @throws ConformanceError `CONFORMANCE_CASE` if the text is not exactly one JSON value
 */
export function parse(text: string): JsonText {
  const reader: Reader = { text, offset: 0 }
  const parsed = value(reader, 0)
  if (text.slice(reader.offset).trim() !== '') throw malformed(reader)
  return parsed
}

/** Formats the value as text without white space. */
export function format(json: JsonText): string {
  if (json.kind === 'literal') return json.text
  if (json.kind === 'array') return `[${json.elements.map(format).join(',')}]`
  return `{${json.members.map(({ name, value }) => `${name}:${format(value)}`).join(',')}}`
}

/** Returns the value of the member with the given decoded name, or undefined if it is missing. */
export function member(json: JsonText | undefined, name: string): JsonText | undefined {
  if (json?.kind !== 'object') return undefined
  return json.members.find((it) => it.name === JSON.stringify(name))?.value
}

/**
 * Returns the first difference between two values, in the order of the first value, or undefined if they are
 * equal.
 */
export function firstDifference(expected: JsonText, actual: JsonText, path = ''): Difference | undefined {
  if (expected.kind === 'array' && actual.kind === 'array') {
    const length = Math.max(expected.elements.length, actual.elements.length)
    for (let index = 0; index < length; index++) {
      const found = between(expected.elements[index], actual.elements[index], `${path}[${index}]`)
      if (found !== undefined) return found
    }
    return undefined
  }
  if (expected.kind === 'object' && actual.kind === 'object') {
    const length = Math.max(expected.members.length, actual.members.length)
    for (let index = 0; index < length; index++) {
      const [recorded, found] = [expected.members[index], actual.members[index]]
      const at = path === '' ? '' : `${path}.`
      if (recorded?.name !== found?.name)
        return { path: `${at}member ${index}`, expected: recorded?.name, actual: found?.name }
      const inner = between(recorded?.value, found?.value, `${at}${recorded?.name.slice(1, -1)}`)
      if (inner !== undefined) return inner
    }
    return undefined
  }
  const [recorded, found] = [format(expected), format(actual)]
  return recorded === found
    ? undefined
    : { path: path === '' ? 'value' : path, expected: recorded, actual: found }
}

function between(
  expected: JsonText | undefined,
  actual: JsonText | undefined,
  path: string,
): Difference | undefined {
  if (expected !== undefined && actual !== undefined) return firstDifference(expected, actual, path)
  return { path, expected: expected && format(expected), actual: actual && format(actual) }
}

/** Returns the string value of a literal, or undefined for other values. */
export function textOf(json: JsonText | undefined): string | undefined {
  if (json?.kind !== 'literal' || !json.text.startsWith('"')) return undefined
  return JSON.parse(json.text) as string
}
