import { Bytes } from '@firn/codec'
import { TxsError } from './TxsError.ts'

/**
 * A value to encode: bytes, or a list of values. Encoding recurses, so the depth of lists must be bounded by the
 * caller.
 */
export type Value = Uint8Array | readonly Value[]

/**
 * One RLP item: a byte string, or a list whose payload {@link items} splits into items. `payload` and `raw`
 * are views, not copies.
 */
export interface Item {
  readonly isList: boolean
  readonly payload: Uint8Array
  /** The payload together with its prefix. */
  readonly raw: Uint8Array
}

/**
 * RLP prefix offsets by kind: a string of up to 55 bytes, a longer string, a list of up to 55 bytes, a longer
 * list.
 */
const SHORT_STRING = 0x80
const LONG_STRING = 0xb7
const SHORT_LIST = 0xc0
const LONG_LIST = 0xf7
/** Maximum payload length that a one-byte prefix can express. */
const SHORT_MAX = 55
/**
 * Maximum number of bytes of a length field: RLP allows 8 bytes, but 6 bytes can already express a length beyond any
 * memory.
 */
const MAX_LENGTH_SIZE = 6
/** Maximum size of an EVM number in bytes. */
const MAX_NUMBER_SIZE = 32

/**
 * Encodes a value as RLP. Numbers are written by {@link fromBigint} first.
 * @example
 * ```ts
 * import { Rlp } from '@firn/txs'
 *
 * Rlp.encode([Rlp.fromBigint(1024n), []]) // Uint8Array [196, 130, 4, 0, 192]
 * ```
 */
export function encode(value: Value): Uint8Array {
  if (!(value instanceof Uint8Array)) return prefixed(SHORT_LIST, Bytes.concat(...value.map(encode)))
  const [first = SHORT_STRING] = value
  return value.length === 1 && first < SHORT_STRING ? value : prefixed(SHORT_STRING, value)
}

function prefixed(kind: number, payload: Uint8Array): Uint8Array {
  if (payload.length <= SHORT_MAX) return Bytes.concat(Uint8Array.of(kind + payload.length), payload)
  const length = fromBigint(BigInt(payload.length))
  return Bytes.concat(Uint8Array.of(kind + SHORT_MAX + length.length), length, payload)
}

/**
 * Returns a number of at least 0 as big-endian bytes without leading zeros, which {@link toBigint} reads; 0 is empty.
 * @example
 * ```ts
 * import { Rlp } from '@firn/txs'
 *
 * Rlp.fromBigint(1024n) // Uint8Array [4, 0]
 * ```
 */
export function fromBigint(value: bigint): Uint8Array {
  const bytes: number[] = []
  for (let rest = value; rest > 0n; rest >>= 8n) bytes.unshift(Number(rest & 0xffn))
  return Uint8Array.from(bytes)
}

/**
 * Decodes the single item in `bytes`. Accepts only canonical RLP: shortest prefixes, and no bytes after the
 * item.
 * @throws TxsError `TXS_RLP`, with `details.offset`
 * @example
 * ```ts
 * import { Rlp } from '@firn/txs'
 *
 * Rlp.decode(Uint8Array.of(0xc1, 0x05)).isList // true
 * ```
 */
export function decode(bytes: Uint8Array): Item {
  const item = itemAt(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length), 0)
  const left = bytes.length - item.raw.length
  if (left > 0) throw malformed('the end of the item', `${left} more bytes`, item.raw.length)
  return item
}

/**
 * Returns the items of a list, one level deep. Nested lists keep their payload undecoded, so decoding never
 * recurses.
 * @throws TxsError `TXS_RLP`, with `details.offset` inside the payload
 * @example
 * ```ts
 * import { Rlp } from '@firn/txs'
 *
 * Rlp.items(Rlp.decode(Uint8Array.of(0xc1, 0x05))).length // 1
 * ```
 */
export function items(list: Item): Item[] {
  if (!list.isList) throw malformed('a list', 'a string', 0)
  const found: Item[] = []
  for (let offset = 0; offset < list.payload.length; ) {
    const item = itemAt(list.payload, offset)
    found.push(item)
    offset += item.raw.length
  }
  return found
}

/**
 * Returns the content of a string item as bytes.
 * @throws TxsError `TXS_RLP` if the item is a list
 * @example
 * ```ts
 * import { Rlp } from '@firn/txs'
 *
 * Rlp.toBytes(Rlp.decode(Uint8Array.of(0x05))) // Uint8Array [5]
 * ```
 */
export function toBytes(item: Item): Uint8Array {
  if (item.isList) throw malformed('a string', 'a list', 0)
  return item.payload
}

/**
 * Returns the number in a string item: big-endian without leading zeros; the empty string is 0.
 * @throws TxsError `TXS_RLP`
 * @example
 * ```ts
 * import { Rlp } from '@firn/txs'
 *
 * Rlp.toBigint(Rlp.decode(Uint8Array.of(0x82, 4, 0))) // 1024n
 * ```
 */
export function toBigint(item: Item): bigint {
  const bytes = toBytes(item)
  if (bytes.length > MAX_NUMBER_SIZE)
    throw malformed(`a number of at most ${MAX_NUMBER_SIZE} bytes`, `${bytes.length} bytes`, 0)
  if (bytes[0] === 0) throw malformed('a number without leading zeros', 'leading zeros', 0)
  let value = 0n
  for (const byte of bytes) value = (value << 8n) | BigInt(byte)
  return value
}

function itemAt(bytes: Uint8Array, offset: number): Item {
  const prefix = bytes[offset]
  if (prefix === undefined) throw malformed('an item', 'the end of the bytes', offset)
  if (prefix < SHORT_STRING) return itemOf(bytes, offset, offset, 1, false)
  const isList = prefix >= SHORT_LIST
  const [short, long] = isList ? [SHORT_LIST, LONG_LIST] : [SHORT_STRING, LONG_STRING]
  if (prefix > long) {
    const size = prefix - long
    return itemOf(bytes, offset, offset + 1 + size, longLength(bytes, offset + 1, size), isList)
  }
  const length = prefix - short
  if (!isList && length === 1 && (bytes[offset + 1] ?? SHORT_STRING) < SHORT_STRING) {
    throw malformed('a byte below 0x80 without a prefix', 'one with a prefix', offset)
  }
  return itemOf(bytes, offset, offset + 1, length, isList)
}

function longLength(bytes: Uint8Array, offset: number, size: number): number {
  if (size > MAX_LENGTH_SIZE)
    throw malformed(`a length field of at most ${MAX_LENGTH_SIZE} bytes`, `${size} bytes`, offset)
  if (offset + size > bytes.length)
    throw malformed(`a length field of ${size} bytes`, 'the end of the bytes', offset)
  let length = 0
  for (let i = 0; i < size; i++) length = length * 0x100 + (bytes[offset + i] as number)
  if (bytes[offset] === 0 || length <= SHORT_MAX)
    throw malformed('the shortest encoding of the length', 'a longer encoding', offset)
  return length
}

function itemOf(bytes: Uint8Array, from: number, start: number, length: number, isList: boolean): Item {
  const end = start + length
  if (end > bytes.length) throw malformed(`${length} bytes`, `${bytes.length - start}`, start)
  return { isList, payload: bytes.subarray(start, end), raw: bytes.subarray(from, end) }
}

function malformed(expected: string, got: string, offset: number): TxsError {
  return new TxsError('TXS_RLP', `RLP: expected ${expected}, got ${got} (at offset ${offset})`, {
    details: { offset },
  })
}
