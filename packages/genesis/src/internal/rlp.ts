import { Bytes } from '@firn/codec'

/**
 * A value to encode as RLP: bytes, or a list of values. Recursion is safe, because only structures of this
 * package are encoded.
 */
export type Item = Uint8Array | readonly Item[]

const EMPTY = new Uint8Array(0)
const SHORT_MAX = 55
const STRING = 0x80
const LIST = 0xc0

/** Encodes an item as RLP. */
export function encode(item: Item): Uint8Array {
  if (item instanceof Uint8Array) {
    const isOwnEncoding = item.length === 1 && (item[0] as number) < STRING
    return isOwnEncoding ? item : withLength(STRING, item)
  }
  return withLength(LIST, Bytes.concat(...item.map(encode)))
}

/** Returns a number as big-endian bytes without leading zeros, as RLP requires; zero is empty. */
export function number(value: bigint): Uint8Array {
  if (value === 0n) return EMPTY
  const digits = value.toString(16)
  const even = digits.length % 2 === 0 ? digits : `0${digits}`
  return Uint8Array.from({ length: even.length / 2 }, (_, i) =>
    Number.parseInt(even.slice(2 * i, 2 * i + 2), 16),
  )
}

function withLength(prefix: number, payload: Uint8Array): Uint8Array {
  if (payload.length <= SHORT_MAX) return Bytes.concat(Uint8Array.of(prefix + payload.length), payload)
  const length = number(BigInt(payload.length))
  return Bytes.concat(Uint8Array.of(prefix + SHORT_MAX + length.length), length, payload)
}
