import { Bytes, excerpt, Hex, isJsonObject, truncate } from '@firn/codec'
import { EvmError } from '../EvmError.ts'
import * as Digits from './Digits.ts'
import { takeBytes } from './takeBytes.ts'

/** A JSON object whose members have not been checked yet. */
export type Members = Readonly<Record<string, unknown>>

/** Maximum values of the SQL type `bigint`, of unsigned 64-bit integers, and of EVM words. */
export const UINT63 = (1n << 63n) - 1n
export const UINT64 = (1n << 64n) - 1n
export const UINT256 = (1n << 256n) - 1n

const QUANTITY = /^0x[0-9a-fA-F]{1,64}$/
const SHOWN = 66
const UINT256_DIGITS = 78

/** Returns the error for a malformed part. */
export function malformed(field: string, expected: string, actual: unknown): EvmError {
  const shown = show(actual)
  return new EvmError('EVM_MALFORMED', `${field}: expected ${expected}, got ${shown}`, {
    details: { field, expected, actual: shown },
  })
}

/** Returns the error for a part that contradicts another part. */
export function incoherent(field: string, expected: unknown, actual: unknown): EvmError {
  const [required, shown] = [show(expected), show(actual)]
  return new EvmError('EVM_INCOHERENT', `${field}: expected ${required}, got ${shown}`, {
    details: { field, expected: required, actual: shown },
  })
}

/**
 * Returns an error of this package with a prefix before the name of its field, and any other error unchanged. Readers
 * of nested parts use it instead of building the full name of every field, which costs more than reading the fields.
 */
export function inside(prefix: string, error: unknown): unknown {
  if (!(error instanceof EvmError)) return error
  const details = { ...error.details, field: `${prefix}${error.details['field']}` }
  return new EvmError(error.code, `${prefix}${error.message}`, { details })
}

function show(value: unknown): string {
  if (value instanceof Uint8Array) return Hex.encode(value.subarray(0, SHOWN))
  if (typeof value === 'string') return truncate(value, SHOWN)
  if (Array.isArray(value)) return `an array of length ${value.length}`
  if (value === null || value === undefined) return 'nothing'
  return typeof value === 'object' ? 'an object' : excerpt(value, UINT256_DIGITS)
}

/** Returns `value` if it is an object, and throws otherwise. */
export function members(value: unknown, field: string): Members {
  if (!isJsonObject(value)) {
    throw malformed(field, 'an object', value)
  }
  return value as Members
}

/** Returns the object at an index of an array, and throws if it is not an object. `name` is the name of the array. */
export function member(values: readonly unknown[], index: number, name: string): Members {
  const value = values[index]
  if (isJsonObject(value)) return value as Members
  throw malformed(`${name}[${index}]`, 'an object', value)
}

/** Returns `value` if it is an array, and throws otherwise. */
export function list(value: unknown, field: string): readonly unknown[] {
  if (!Array.isArray(value)) throw malformed(field, 'a list', value)
  return value
}

/** Reads a JSON-RPC quantity: `0x` followed by hexadecimal digits. */
export function quantity(value: unknown, most: bigint, field: string): bigint {
  if (typeof value === 'string') {
    const number = value.length <= SHORT ? short(value) : long(value)
    if (number !== undefined && number <= most) return number
  }
  throw malformed(field, `a hexadecimal quantity of at most 0x${most.toString(16)}`, value)
}

/** Maximum length of a quantity that fits into a number. Reading a number is faster than reading a bigint. */
const SHORT = 14

function short(text: string): bigint | undefined {
  if (text.length < 3 || !text.startsWith('0x')) return undefined
  let number = 0
  for (let i = 2; i < text.length; i++) {
    const digit = Digits.valueAt(text, i)
    if (digit === Digits.NONE) return undefined
    number = number * 16 + digit
  }
  return BigInt(number)
}

function long(text: string): bigint | undefined {
  return QUANTITY.test(text) ? BigInt(text) : undefined
}

/** Reads a JSON-RPC quantity that may be absent or null. */
export function maybeQuantity(value: unknown, most: bigint, field: string): bigint | undefined {
  return value === undefined || value === null ? undefined : quantity(value, most, field)
}

/** Reads hexadecimal bytes with the prefix `0x`, exactly `length` bytes if given. */
export function bytes(value: unknown, field: string, length?: number): Uint8Array {
  if (typeof value === 'string' && (length === undefined || value.length === 2 + 2 * length)) {
    const read = value.length <= SHORT_TEXT ? shortBytes(value) : longBytes(value)
    if (read !== undefined) return read
  }
  throw malformed(
    field,
    length === undefined
      ? 'an even number of hexadecimal digits with the prefix 0x'
      : `${length} hexadecimal bytes with the prefix 0x`,
    value,
  )
}

/** Maximum length of text that is decoded here. The platform's decoder is faster for longer text. */
const SHORT_TEXT = 256

function shortBytes(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0 || !text.startsWith('0x')) return undefined
  const read = takeBytes(text.length / 2 - 1)
  for (let i = 0, at = 2; i < read.length; i++, at += 2) {
    const high = Digits.valueAt(text, at)
    const low = Digits.valueAt(text, at + 1)
    if (high === Digits.NONE || low === Digits.NONE) return undefined
    read[i] = (high << 4) | low
  }
  return read
}

function longBytes(text: string): Uint8Array | undefined {
  try {
    return Hex.decode(text)
  } catch {
    return undefined
  }
}

/** Reads hexadecimal bytes that may be absent or null. */
export function maybeBytes(value: unknown, field: string, length: number): Uint8Array | undefined {
  return value === undefined || value === null ? undefined : bytes(value, field, length)
}

/** Throws if hexadecimal text differs from `expected`, ignoring case. */
export function sameText(value: unknown, expected: string, field: string): void {
  if (value === expected) return
  if (typeof value !== 'string') throw malformed(field, expected, value)
  if (value.toLowerCase() !== expected.toLowerCase()) throw incoherent(field, expected, value)
}

/** Throws if a quantity differs from `expected`. `text` is the usual text of `expected`. */
export function sameQuantity(value: unknown, expected: bigint, text: string, field: string): void {
  if (value === text) return
  const actual = quantity(value, UINT256, field)
  if (actual !== expected) throw incoherent(field, `0x${expected.toString(16)}`, value)
}

/** Throws if hexadecimal bytes differ from `expected`. */
export function sameHex(value: unknown, expected: Uint8Array, field: string): void {
  if (isHexOf(value, expected)) return
  sameBytes(bytes(value, field, expected.length), expected, field)
}

/** Returns whether `text` is the hexadecimal form of `expected`. */
export function isHexOf(text: unknown, expected: Uint8Array): boolean {
  if (typeof text !== 'string' || text.length !== 2 + 2 * expected.length || !text.startsWith('0x'))
    return false
  for (let i = 0; i < expected.length; i++) {
    const byte = expected[i] as number
    if (Digits.valueAt(text, 2 + 2 * i) !== byte >> 4 || Digits.valueAt(text, 3 + 2 * i) !== (byte & 15))
      return false
  }
  return true
}

/** Throws if bytes differ from `expected`. If `expected` is undefined, the bytes must be absent. */
export function sameBytes(
  actual: Uint8Array | undefined,
  expected: Uint8Array | undefined,
  field: string,
): void {
  if (actual === expected) return
  const isSame = actual !== undefined && expected !== undefined && Bytes.equals(actual, expected)
  if (!isSame) throw incoherent(field, expected, actual)
}
