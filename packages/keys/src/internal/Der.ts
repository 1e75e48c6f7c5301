import { Bytes } from '@firn/codec'

/** ASN.1 identifier octets used in certificates, keys and signatures. */
export const Tag = {
  INTEGER: 0x02,
  BIT_STRING: 0x03,
  OCTET_STRING: 0x04,
  OBJECT_IDENTIFIER: 0x06,
  UTC_TIME: 0x17,
  GENERALIZED_TIME: 0x18,
  SEQUENCE: 0x30,
  CONTEXT_0: 0xa0,
  CONTEXT_1: 0xa1,
  CONTEXT_3: 0xa3,
} as const

/** A position in DER bytes. Functions that read an element advance `offset` past it. */
export interface Cursor {
  readonly bytes: Uint8Array
  offset: number
}

export function cursor(bytes: Uint8Array): Cursor {
  return { bytes, offset: 0 }
}

export function isAtEnd(at: Cursor): boolean {
  return at.offset === at.bytes.length
}

/** Returns whether the next element has the identifier `tag`, without advancing the cursor. */
export function isNext(at: Cursor, tag: number): boolean {
  return at.bytes[at.offset] === tag
}

/**
 * Returns the value of the octets of a long-form length, or undefined if they are not its shortest form. More
 * than six octets may give a rounded value, which exceeds the size of any array.
 */
function readLongLength(octets: Uint8Array): number | undefined {
  const length = octets.reduce((value, octet) => value * 256 + octet, 0)
  const isShortest = length >= 128 && length >= 256 ** (octets.length - 1)
  return isShortest ? length : undefined
}

/**
 * Returns the content of the next element if it has the identifier `tag` and is complete. Lengths must be in
 * DER's shortest form. Returns undefined otherwise; the cursor must not be used after that.
 */
export function read(at: Cursor, tag: number): Uint8Array | undefined {
  const { bytes } = at
  const first = bytes[at.offset + 1]
  if (bytes[at.offset] !== tag || first === undefined) return undefined
  const isLong = first >= 0x80
  const octets = isLong ? first & 0x7f : 0
  const start = at.offset + 2 + octets
  const length = isLong ? readLongLength(bytes.subarray(at.offset + 2, start)) : first
  if (length === undefined || start + length > bytes.length) return undefined
  at.offset = start + length
  return bytes.subarray(start, start + length)
}

/**
 * Returns a cursor over the content of the SEQUENCE in `bytes`. Returns undefined if `bytes` are not exactly
 * one SEQUENCE.
 */
export function readSequence(bytes: Uint8Array): Cursor | undefined {
  const at = cursor(bytes)
  const content = read(at, Tag.SEQUENCE)
  return content === undefined || !isAtEnd(at) ? undefined : cursor(content)
}

/**
 * Returns the content of the next element (in two's complement) if it is an INTEGER in DER's shortest form,
 * otherwise undefined.
 */
export function readInteger(at: Cursor): Uint8Array | undefined {
  const content = read(at, Tag.INTEGER)
  if (content === undefined) return undefined
  const [first, second] = content
  if (first === undefined) return undefined
  if (second === undefined) return content
  const isPadded = (first === 0x00 && second < 0x80) || (first === 0xff && second >= 0x80)
  return isPadded ? undefined : content
}

/**
 * Returns the bits of the next element if it is a BIT STRING, otherwise undefined. The bits are shifted
 * right, so that the unused bits are removed.
 */
export function readBitString(at: Cursor): Uint8Array | undefined {
  const content = read(at, Tag.BIT_STRING)
  const unused = content?.[0]
  if (content === undefined || unused === undefined || unused > 7) return undefined
  const bits = content.subarray(1)
  if (unused === 0) return bits
  const last = bits.at(-1)
  if (last === undefined || (last & ((1 << unused) - 1)) !== 0) return undefined
  return bits.map((byte, index) => (byte >> unused) | ((bits[index - 1] ?? 0) << (8 - unused)))
}

/** Encodes one element: its identifier, its length in the shortest form, and its content. */
export function write(tag: number, ...content: readonly Uint8Array[]): Uint8Array {
  const body = Bytes.concat(...content)
  return Bytes.concat(Uint8Array.of(tag, ...lengthOctets(body.length)), body)
}

function lengthOctets(length: number): number[] {
  if (length < 0x80) return [length]
  const octets: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) octets.unshift(rest % 256)
  return [0x80 | octets.length, ...octets]
}

/** Encodes a BIT STRING of whole bytes. */
export function writeBitString(bits: Uint8Array): Uint8Array {
  return write(Tag.BIT_STRING, Uint8Array.of(0), bits)
}

/** Encodes a non-negative INTEGER from big-endian bytes. */
export function writeInteger(magnitude: Uint8Array): Uint8Array {
  const start = magnitude.findIndex((byte) => byte !== 0)
  const shortest = start === -1 ? Uint8Array.of(0) : magnitude.subarray(start)
  const sign = (shortest[0] ?? 0) >= 0x80 ? Uint8Array.of(0) : new Uint8Array(0)
  return write(Tag.INTEGER, sign, shortest)
}
