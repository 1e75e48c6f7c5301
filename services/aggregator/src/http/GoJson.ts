/** A member of a JSON object: its key, and the JSON text of its value. */
export type Member = readonly [key: string, value: string]

/** The value of {@link read} that is no object. */
export type Other = 'null' | 'other'

/** Maximum depth of nested objects and lists, as in Go. */
export const MAX_DEPTH = 10_000
const SPACE = /[ \t\n\r]*/y
const SCALAR = /null|true|false|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** Returns the JSON text of a value, with the characters escaped that Go's `json.Marshal` escapes as well. */
export function write(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/**
 * Reads the first JSON value of a text, and ignores everything after it, as `Decode` of Go's `json.Decoder` does.
 * Returns the members of an object in their order, with repeated keys. Values that are no objects are not returned.
 * @throws SyntaxError if the text does not start with a complete JSON value
 */
export function read(text: string): readonly Member[] | Other {
  const start = skip(SPACE, text, 0)
  const end = endOfValue(text, start)
  const first = text.slice(start, end)
  // Checks the syntax within the value. Below, only the positions of the members are still needed.
  JSON.parse(first)
  if (first === 'null') return 'null'
  return first.startsWith('{') ? membersOf(first) : 'other'
}

/** Returns the members of an object with valid syntax. */
function membersOf(object: string): readonly Member[] {
  const members: Member[] = []
  for (let at = skip(SPACE, object, 1); object[at] !== '}'; ) {
    const endOfKey = endOfString(object, at)
    const key = JSON.parse(object.slice(at, endOfKey)) as string
    const value = skip(SPACE, object, skip(SPACE, object, endOfKey) + 1)
    const end = endOfValue(object, value)
    members.push([key, object.slice(value, end)])
    at = skip(SPACE, object, end)
    if (object[at] === ',') at = skip(SPACE, object, at + 1)
  }
  return members
}

/** Returns the position after the value at `at`. The syntax of nested values is not checked. */
function endOfValue(text: string, at: number): number {
  if (text[at] === '"') return endOfString(text, at)
  if (text[at] === '{' || text[at] === '[') return endOfNested(text, at)
  const end = skip(SCALAR, text, at)
  if (end === at) throw new SyntaxError(at === text.length ? 'unexpected end' : `unexpected text at ${at}`)
  return end
}

function endOfNested(text: string, start: number): number {
  const next = /["{}[\]]/g
  next.lastIndex = start
  let depth = 0
  for (let found = next.exec(text); found !== null; found = next.exec(text)) {
    if (found[0] === '"') next.lastIndex = endOfString(text, found.index)
    else depth += found[0] === '{' || found[0] === '[' ? 1 : -1
    if (depth > MAX_DEPTH) throw new SyntaxError(`more than ${MAX_DEPTH} levels of nesting`)
    if (depth === 0) return next.lastIndex
  }
  throw new SyntaxError('unexpected end')
}

function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0
    while (text[quote - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return quote + 1
  }
  throw new SyntaxError('unexpected end')
}

/** Returns the position after the match of a sticky pattern at `at`, or `at` if it does not match. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}
