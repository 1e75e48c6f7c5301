import { JsonPrinter } from '#json-printer'
import { CodecError } from './CodecError.ts'
import { parseIntegers } from './internal/exactIntegers.ts'
import { type JsonLimits, JsonScan } from './internal/JsonScan.ts'

export type { JsonLimits }

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
  return print(value).text()
}

/**
 * Prints JSON as {@link stringify} does, as UTF-8.
 * @throws CodecError `CODEC_JSON` if a number is not finite
 * @example
 * ```ts
 * import { Json } from '@firn/codec'
 *
 * Json.encode({ height: 2n ** 63n }) // Uint8Array of '{"height":9223372036854775808}'
 * ```
 */
export function encode(value: Json | undefined): Uint8Array {
  return print(value).bytes()
}

function print(value: Json | undefined): JsonPrinter {
  const printer = new JsonPrinter()
  append(printer, value ?? null)
  return printer
}

function append(printer: JsonPrinter, value: Json): void {
  if (typeof value === 'string') printer.string(value, quote)
  else if (typeof value === 'number' || typeof value === 'bigint') {
    if (Number.isSafeInteger(Number(value))) printer.integer(Number(value))
    else printer.token(number(value))
  } else if (typeof value !== 'object' || value === null) printer.token(String(value))
  else if (isArray(value)) appendList(printer, value)
  else appendObject(printer, value)
}

function appendList(printer: JsonPrinter, items: readonly (Json | undefined)[]): void {
  let separator = '['
  for (const item of items) {
    printer.token(separator)
    append(printer, item ?? null)
    separator = ','
  }
  printer.token(separator === '[' ? '[]' : ']')
}

function appendObject(printer: JsonPrinter, members: { readonly [member: string]: Json | undefined }): void {
  let separator = '{'
  for (const name of Object.keys(members)) {
    const member = members[name]
    if (member === undefined) continue
    printer.token(separator)
    printer.string(name, quote)
    printer.token(':')
    append(printer, member)
    separator = ','
  }
  printer.token(separator === '{' ? '{}' : '}')
}

/**
 * Bounds of {@link parse} by default. Valid answers of nodes and our own files stay far below them: a trace of an EVM
 * transaction has at most 2,050 levels.
 */
export const LIMITS: JsonLimits = {
  depth: 2_500,
  values: 10_000_000,
  keys: 5_000_000,
  digits: 1_000,
  length: 268_435_456,
}

/**
 * Parses JSON text. Integers beyond ±2^53 become `bigint`; everything else is as `JSON.parse` returns it. The text is
 * checked against the bounds before anything is parsed, and all together costs at most twice as much as `JSON.parse`.
 * @param limits bounds that replace the defaults, {@link LIMITS}
 * @throws CodecError `CODEC_JSON` if the text is not JSON, or exceeds a bound. Then `details` has the name of the
 * `bound`, its `limit`, and the offset `at` of the value.
 * @example
 * ```ts
 * import { Json } from '@firn/codec'
 *
 * Json.parse('{"height":18446744073709551615}') // { height: 18446744073709551615n }
 * Json.parse('[[[]]]', { depth: 2 }) // throws: expected JSON of at most 2 nesting levels, got more (at character 2)
 * ```
 */
export function parse(text: string, limits: Partial<JsonLimits> = {}): Json {
  return parseWith(text, limits, 'unsafe')
}

/**
 * Parses JSON text as {@link parse} does, but every integer becomes a `bigint`. So `1` differs from `1.0` and `1e0`,
 * which stay numbers, as does `-0`.
 * @param limits bounds that replace the defaults, {@link LIMITS}
 * @throws CodecError `CODEC_JSON`
 * @example
 * ```ts
 * import { Json } from '@firn/codec'
 *
 * Json.parseBigInts('[1, 1.0]') // [1n, 1]
 * ```
 */
export function parseBigInts(text: string, limits: Partial<JsonLimits> = {}): Json {
  return parseWith(text, limits, 'all')
}

/**
 * Checks the bounds of a JSON text, for a parser that has none. The syntax is not checked.
 * @param limits bounds that replace the defaults, {@link LIMITS}
 * @throws CodecError `CODEC_JSON` as {@link parse} does for a text that exceeds a bound
 * @example
 * ```ts
 * import { Json } from '@firn/codec'
 *
 * Json.assertBounds('[[1]]', { depth: 2 })
 * ```
 */
export function assertBounds(text: string, limits: Partial<JsonLimits> = {}): void {
  new JsonScan(text, { ...LIMITS, ...limits }, 'none').run()
}

function parseWith(text: string, limits: Partial<JsonLimits>, wanted: 'all' | 'unsafe'): Json {
  const integers = new JsonScan(text, { ...LIMITS, ...limits }, wanted).run()
  try {
    return (integers.length === 0 ? JSON.parse(text) : parseIntegers(text, integers)) as Json
  } catch (cause) {
    throw new CodecError('CODEC_JSON', `expected JSON: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    })
  }
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

function number(value: number | bigint): string {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new CodecError('CODEC_JSON', `expected a finite number, got ${value}`)
  return String(value)
}

/** Quotes text that is not plain ASCII. */
function quote(text: string): string {
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
