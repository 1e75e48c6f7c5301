import { CodecError } from './CodecError.ts'
import { type Revive, parseNumbers as withSources } from './internal/numberSources.ts'

/**
 * A JSON value that may contain 64-bit integers. Integers that a `number` cannot hold exactly must be `bigint`.
 */
export type Json =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Json[]
  | { readonly [member: string]: Json }

/** Go's `json.Marshal` also escapes these characters, so that JSON can be embedded in HTML and JavaScript. */
const GO_ESCAPES: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
}

/**
 * Prints JSON as Go does: no white space, members in the order of the object, `bigint` as a bare number, and
 * Go's escapes. Members whose value is `undefined` are omitted. A lone surrogate is printed as `\ufffd`.
 * @throws CodecError `CODEC_JSON` if a number is not finite
 * @example
 * ```ts
 * import { Json } from '@firn/codec'
 *
 * Json.stringify({ height: 2n ** 63n, note: 'a < b' })
 * // '{"height":9223372036854775808,"note":"a \\u003c b"}'
 * ```
 */
export function stringify(value: Json | undefined): string {
  return value === undefined ? 'null' : append('', value)
}

/**
 * Returns `text` followed by the JSON of `value`. Appending to one string is cheaper than joining parts at
 * each level.
 */
function append(text: string, value: Json): string {
  if (typeof value === 'string') return text + quote(value)
  if (typeof value === 'number') return text + number(value)
  if (typeof value !== 'object' || value === null) return text + String(value)
  return isArray(value) ? appendList(text, value) : appendObject(text, value)
}

function appendList(before: string, items: readonly (Json | undefined)[]): string {
  let text = `${before}[`
  let separator = ''
  for (const item of items) {
    text = append(text + separator, item ?? null)
    separator = ','
  }
  return `${text}]`
}

function appendObject(before: string, members: { readonly [member: string]: Json | undefined }): string {
  let text = `${before}{`
  let separator = ''
  for (const name of Object.keys(members)) {
    const member = members[name]
    if (member === undefined) continue
    text = append(`${text}${separator}${quote(name)}:`, member)
    separator = ','
  }
  return `${text}}`
}

/**
 * Parses JSON text. Integers beyond ±2^53 become `bigint`; everything else is as `JSON.parse` returns it.
 * @throws CodecError `CODEC_JSON`
 * @example
 * ```ts
 * import { Json } from '@firn/codec'
 *
 * Json.parse('{"height":18446744073709551615}') // { height: 18446744073709551615n }
 * ```
 */
export function parse(text: string): Json {
  try {
    return parseNumbers(text, exactInteger) as Json
  } catch (cause) {
    throw new CodecError('CODEC_JSON', `expected JSON: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    })
  }
}

function exactInteger(value: unknown, source: string | undefined): unknown {
  if (source === undefined || Number.isSafeInteger(value)) return value
  return /^-?\d+$/.test(source) ? BigInt(source) : value
}

/**
 * Parses JSON text like `JSON.parse`, but calls `revive` with each value, innermost first, and with the text of each
 * number, which tells `1.0` from `1` and has all digits. Returns what `revive` returns for the outermost value.
 * @throws SyntaxError if the text is not JSON
 * @example
 * ```ts
 * import { Json } from '@firn/codec'
 *
 * Json.parseNumbers('[1.0]', (value, source) => source ?? value) // ['1.0']
 * ```
 */
export function parseNumbers(text: string, revive: Revive): unknown {
  return withSources(text, revive)
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

function number(value: number): string {
  if (!Number.isFinite(value)) throw new CodecError('CODEC_JSON', `expected a finite number, got ${value}`)
  return String(value)
}

/**
 * Matches printable ASCII without characters to escape. Nearly all strings match, and this test is cheaper
 * than escaping.
 */
const PLAIN = /^[ !#-%'-;=?-[\]-~]*$/

function quote(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`
  const quoted = text.isWellFormed() ? JSON.stringify(text) : quoteBroken(text)
  return quoted.replace(/[<>&\u2028\u2029]/g, (character) => GO_ESCAPES[character] as string)
}

/**
 * Quotes a string with lone surrogates as Go does: invalid UTF-8 becomes an escape, but an existing
 * replacement character stays as it is.
 */
function quoteBroken(text: string): string {
  const parts = text.split(/\p{Surrogate}/u).map((part) => JSON.stringify(part).slice(1, -1))
  return `"${parts.join('\\ufffd')}"`
}
