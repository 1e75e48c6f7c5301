import { GatewayError } from '../GatewayError.ts'

const [QUOTE, BACKSLASH, COMMA, COLON, MINUS] = [0x22, 0x5c, 0x2c, 0x3a, 0x2d]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
const LITERALS: ReadonlyMap<number, readonly number[]> = new Map(
  ['true', 'false', 'null'].map((word) => [word.charCodeAt(0), [...Buffer.from(word)]]),
)
/** Maximum nesting depth of JSON in a request. No method needs deeper nesting. */
const DEEPEST = 64
const ESCAPES = new Set(Buffer.from('"\\/bfnrtu'))

/**
 * Called for each element of a list or member of an object. The element's or member's value is at the bytes
 * from `start` (inclusive) to `end` (exclusive).
 */
export type Visit = (start: number, end: number, key: string) => void

/** Returns the position of the first byte at or after `at` that is not white space. */
export function skipBlanks(bytes: Uint8Array, at: number): number {
  let next = at
  while (isBlank(bytes[next])) next++
  return next
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/** Returns whether a list starts at a position. */
export function isList(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === OPEN_LIST
}

/** Returns whether an object starts at a position. */
export function isObject(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === OPEN_OBJECT
}

/** Returns whether a string starts at a position. */
export function isText(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === QUOTE
}

/** Decodes the bytes between two positions as text. */
export function textOf(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString()
}

/**
 * Validates the JSON value at a position and returns the position of its end. `visit` is called for the
 * direct children of the value. The value is not converted to objects, so parsing needs no additional memory.
 * @throws GatewayError `GATEWAY_PARSE`
 */
export function readValue(bytes: Uint8Array, at: number, visit?: Visit, depth = 0): number {
  if (depth > DEEPEST)
    throw new GatewayError('GATEWAY_PARSE', `JSON is nested more than ${DEEPEST} levels deep`)
  const byte = bytes[at]
  if (byte === QUOTE) return readText(bytes, at)
  if (byte === OPEN_OBJECT) return readObject(bytes, at, visit, depth)
  if (byte === OPEN_LIST) return readList(bytes, at, visit, depth)
  if (byte === MINUS || isDigit(byte)) return readNumber(bytes, at)
  const literal = byte === undefined ? undefined : LITERALS.get(byte)
  if (literal?.every((expected, i) => bytes[at + i] === expected)) return at + literal.length
  throw unexpected(bytes, at, 'a value')
}

function readObject(bytes: Uint8Array, at: number, visit: Visit | undefined, depth: number): number {
  let next = skipBlanks(bytes, at + 1)
  if (bytes[next] === CLOSE_OBJECT) return next + 1
  for (;;) {
    if (bytes[next] !== QUOTE) throw unexpected(bytes, next, 'a member name')
    const keyEnd = readText(bytes, next)
    const key = visit === undefined ? '' : (JSON.parse(textOf(bytes, next, keyEnd)) as string)
    next = skipBlanks(bytes, keyEnd)
    if (bytes[next] !== COLON) throw unexpected(bytes, next, '":"')
    const start = skipBlanks(bytes, next + 1)
    const end = readValue(bytes, start, undefined, depth + 1)
    visit?.(start, end, key)
    next = skipBlanks(bytes, end)
    if (bytes[next] === CLOSE_OBJECT) return next + 1
    if (bytes[next] !== COMMA) throw unexpected(bytes, next, '"," or "}"')
    next = skipBlanks(bytes, next + 1)
  }
}

function readList(bytes: Uint8Array, at: number, visit: Visit | undefined, depth: number): number {
  let next = skipBlanks(bytes, at + 1)
  if (bytes[next] === CLOSE_LIST) return next + 1
  for (;;) {
    const end = readValue(bytes, next, undefined, depth + 1)
    visit?.(next, end, '')
    next = skipBlanks(bytes, end)
    if (bytes[next] === CLOSE_LIST) return next + 1
    if (bytes[next] !== COMMA) throw unexpected(bytes, next, '"," or "]"')
    next = skipBlanks(bytes, next + 1)
  }
}

function readText(bytes: Uint8Array, at: number): number {
  for (let next = at + 1; next < bytes.length; next++) {
    const byte = bytes[next] as number
    if (byte === QUOTE) return next + 1
    if (byte < 0x20) break
    if (byte !== BACKSLASH) continue
    next++
    if (!ESCAPES.has(bytes[next] ?? 0)) throw unexpected(bytes, next, 'a valid escape character')
    if (bytes[next] !== 0x75) continue
    for (let digit = 1; digit <= 4; digit++) {
      if (!isHex(bytes[next + digit])) throw unexpected(bytes, next + digit, 'a hex digit')
    }
    next += 4
  }
  throw new GatewayError('GATEWAY_PARSE', `the string at offset ${at} is not terminated`)
}

/**
 * Validates a number and returns the position of its end. A number has digits without leading zeros, and
 * optionally a fraction and an exponent.
 */
function readNumber(bytes: Uint8Array, at: number): number {
  let next = bytes[at] === MINUS ? at + 1 : at
  next = bytes[next] === 0x30 ? next + 1 : readDigits(bytes, next)
  if (bytes[next] === 0x2e) next = readDigits(bytes, next + 1)
  if (bytes[next] === 0x65 || bytes[next] === 0x45) {
    const sign = bytes[next + 1]
    next = readDigits(bytes, next + (sign === 0x2b || sign === MINUS ? 2 : 1))
  }
  return next
}

function readDigits(bytes: Uint8Array, at: number): number {
  let next = at
  while (isDigit(bytes[next])) next++
  if (next === at) throw unexpected(bytes, at, 'a digit')
  return next
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39
}

function isHex(byte = 0): boolean {
  const lower = byte | 0x20
  return isDigit(byte) || (lower >= 0x61 && lower <= 0x66)
}

/** Creates the error for an unexpected byte. */
export function unexpected(bytes: Uint8Array, at: number, expected: string): GatewayError {
  const byte = bytes[at]
  const actual = byte === undefined ? 'the end of the body' : `0x${byte.toString(16).padStart(2, '0')}`
  return new GatewayError('GATEWAY_PARSE', `expected ${expected} at offset ${at}, got ${actual}`)
}
