const { latin1Slice } = Buffer.prototype as Buffer & {
  latin1Slice(this: Uint8Array, start: number, end: number): string
}

/**
 * Formats an SQL array whose items contain no spaces, commas or quotes.
 * @example
 * ```ts
 * import { formatArray } from '@firn/sql'
 *
 * formatArray([1n, 2n]) // '{1,2}'
 * ```
 */
export function formatArray(items: readonly (string | number | bigint)[]): string {
  return `{${items.join(',')}}`
}

const DIGITS = Buffer.from('0123456789abcdef')
/** The characters before the digits of an item and after them. */
const [BEFORE, AFTER] = [Buffer.from('"\\\\x'), Buffer.from('",')]
const NULL = Buffer.from('null,')

/** Formats an SQL array of bytes. */
export function byteas(items: readonly (Uint8Array | null)[]): string {
  if (items.length === 0) return '{}'
  let size = 1
  for (const item of items)
    size += item === null ? NULL.length : BEFORE.length + 2 * item.length + AFTER.length
  // One buffer for the whole text takes half the time of one string per item.
  const text = Buffer.allocUnsafe(size)
  text[0] = '{'.charCodeAt(0)
  let at = 1
  const put = (part: Buffer) => {
    for (let i = 0; i < part.length; i++) text[at++] = part[i] as number
  }
  for (const item of items) {
    put(item === null ? NULL : BEFORE)
    if (item === null) continue
    for (let i = 0; i < item.length; i++) {
      const byte = item[i] as number
      text[at++] = DIGITS[byte >> 4] as number
      text[at++] = DIGITS[byte & 15] as number
    }
    put(AFTER)
  }
  // The brace replaces the last comma.
  text[at - 1] = '}'.charCodeAt(0)
  return latin1Slice.call(text, 0, at)
}

const BYTEA = 17
/** Size of the header of a binary array, without and with a dimension, and of the length before each item. */
const [EMPTY_HEADER, HEADER, LENGTH] = [12, 20, 4]

/** Length of a null. */
const NO_ITEM = -1

/** Returns whether a parameter of a statement is an array of bytes and nulls, with bytes in it. */
export function isByteas(value: unknown): value is readonly (Uint8Array | null)[] {
  return (
    Array.isArray(value) &&
    value.some((item) => item instanceof Uint8Array) &&
    value.every((item) => item === null || item instanceof Uint8Array)
  )
}

/** Encodes an array of bytes in PostgreSQL's binary format. */
export function binaryByteas(items: readonly (Uint8Array | null)[]): Buffer {
  const header = items.length === 0 ? EMPTY_HEADER : HEADER
  const bytes = Buffer.alloc(items.reduce((size, item) => size + LENGTH + (item?.length ?? 0), header))
  bytes.writeInt32BE(items.includes(null) ? 1 : 0, 4)
  bytes.writeInt32BE(BYTEA, 8)
  if (items.length === 0) return bytes
  // One dimension, of so many items, whose indexes start at 1.
  bytes.writeInt32BE(1, 0)
  bytes.writeInt32BE(items.length, 12)
  bytes.writeInt32BE(1, 16)
  let at = HEADER
  for (const item of items) {
    bytes.writeInt32BE(item?.length ?? NO_ITEM, at)
    if (item !== null) bytes.set(item, at + LENGTH)
    at += LENGTH + (item?.length ?? 0)
  }
  return bytes
}

/**
 * Returns the bytes as a map key with one character per byte.
 * @example
 * ```ts
 * import { toKey } from '@firn/sql'
 *
 * const heights = new Map([[toKey(Uint8Array.of(1, 2)), 5n]])
 * heights.get(toKey(Uint8Array.of(1, 2))) // 5n
 * ```
 */
export function toKey(bytes: Uint8Array): string {
  return latin1Slice.call(bytes, 0, bytes.length)
}
