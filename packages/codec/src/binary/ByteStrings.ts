import * as Hex from '../Hex.ts'
import * as IdText from '../Id.ts'
import type { Json } from '../Json.ts'
import * as NodeIdText from '../NodeId.ts'
import * as ShortIdText from '../ShortId.ts'
import { type Codec, create } from './Codec.ts'
import { Fault, type Reader, type Reading, readU32, take } from './Reader.ts'
import { advance, type Writer, writeU32 } from './Writer.ts'

/** Maximum length of a slice in the protocol's codec: 2^31 − 1. */
export const MAX_SLICE_LENGTH = 0x7fff_ffff

/** JSON form of bytes: `0x` hex, base64 (Go's `[]byte`), or an array of numbers (Go's `[N]byte`). */
export type BytesJson = 'hex' | 'base64' | 'numbers'

interface TextForm {
  readonly format: (bytes: Uint8Array) => Json
  readonly parse: (json: Json) => Uint8Array
}

/**
 * Creates a codec of exactly `length` bytes, without a length prefix.
 *
 * @example
 * ```ts
 * import { Codec } from '@firn/codec'
 *
 * const PublicKey = Codec.fixed(48)
 * PublicKey.decode(new Uint8Array(48)).length // 48
 * ```
 */
export function fixed(length: number, options: { readonly json?: BytesJson } = {}): Codec<Uint8Array> {
  return fixedAs(length, TEXT_FORMS[options.json ?? 'hex'])
}

/** Codec of a 32-byte id. Its JSON is cb58. */
export const id: Codec<Uint8Array> = fixedAs(IdText.LENGTH, ofText(IdText.format, IdText.parse))

/** Codec of a 20-byte short id. Its JSON is cb58. */
export const shortId: Codec<Uint8Array> = fixedAs(
  ShortIdText.LENGTH,
  ofText(ShortIdText.format, ShortIdText.parse),
)

/** Codec of a 20-byte node id. Its JSON is `NodeID-…`. */
export const nodeId: Codec<Uint8Array> = fixedAs(
  NodeIdText.LENGTH,
  ofText(NodeIdText.format, NodeIdText.parse),
)

/**
 * Creates a codec of at most `max` bytes with a u32 length prefix.
 *
 * @example
 * ```ts
 * import { Codec, Hex } from '@firn/codec'
 *
 * const Memo = Codec.bytes({ max: 256 })
 * Hex.encode(Memo.encode(Uint8Array.of(0xca, 0xfe))) // '0x00000002cafe'
 * ```
 */
export function bytes(options: { readonly max?: number; readonly json?: BytesJson } = {}): Codec<Uint8Array> {
  const max = options.max ?? MAX_SLICE_LENGTH
  const form = TEXT_FORMS[options.json ?? 'hex']
  const check = (value: unknown): Uint8Array => {
    if (!(value instanceof Uint8Array))
      throw new Fault('CODEC_VALUE', `expected a Uint8Array, got ${typeof value}`)
    if (value.length > max)
      throw new Fault('CODEC_LENGTH', `expected at most ${max} bytes, got ${value.length}`)
    return value
  }
  return create({
    minSize: 4,
    fixedSize: undefined,
    size: (value) => 4 + check(value).length,
    read(reader) {
      const length = readLength(reader, max)
      return slice(reader, length)
    },
    write(writer, value) {
      writeU32(writer, value.length)
      put(writer, value)
    },
    json: form.format,
    unjson: (json) => check(form.parse(json)),
    arbitrary: (fc) => fc.uint8Array({ maxLength: Math.min(max, 64) }),
  })
}

/**
 * Reads a u32 length and checks it against `max`. Whether enough bytes remain is checked when they are read.
 */
export function readLength(reader: Reader, max: number): number {
  const length = readU32(reader, 'length')
  if (length > max) {
    const expectation = `expected a length of at most ${max}, got ${length}`
    const details = { maximum: max, actual: length }
    throw new Fault('CODEC_LENGTH', expectation, reader.offset - 4, { details })
  }
  return length
}

/**
 * Advances by `length` bytes and returns a view of them. Nothing is copied, so decoding allocates memory only
 * for the values themselves. The view is always a plain Uint8Array, even over a Node `Buffer`.
 */
export function slice(reader: Reader, length: number, reading?: Reading): Uint8Array {
  const start = take(reader, length, reading)
  return new Uint8Array(reader.bytes.buffer as ArrayBuffer, reader.bytes.byteOffset + start, length)
}

/** Writes bytes without a length prefix. */
export function put(writer: Writer, value: Uint8Array): void {
  writer.bytes.set(value, advance(writer, value.length))
}

function fixedAs(length: number, form: TextForm): Codec<Uint8Array> {
  const check = (value: unknown): Uint8Array => {
    if (value instanceof Uint8Array && value.length === length) return value
    const got = value instanceof Uint8Array ? `${value.length} bytes` : typeof value
    throw new Fault('CODEC_VALUE', `expected ${length} bytes, got ${got}`)
  }
  return create({
    minSize: length,
    fixedSize: length,
    size: () => length,
    read: (reader) => slice(reader, length),
    write: (writer, value) => put(writer, check(value)),
    json: (value) => form.format(value),
    unjson: (json) => check(form.parse(json)),
    arbitrary: (fc) => fc.uint8Array({ minLength: length, maxLength: length }),
  })
}

function ofText(format: (bytes: Uint8Array) => string, parse: (text: string) => Uint8Array): TextForm {
  return {
    format,
    parse(json) {
      if (typeof json !== 'string') throw new Fault('CODEC_VALUE', `expected a string, got ${typeof json}`)
      return parse(json)
    },
  }
}

const TEXT_FORMS: Readonly<Record<BytesJson, TextForm>> = {
  hex: ofText(Hex.encode, Hex.decode),
  base64: ofText(
    (value) => btoa(Array.from(value, (byte) => String.fromCharCode(byte)).join('')),
    (text) => {
      if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) {
        throw new Fault('CODEC_VALUE', 'expected padded base64')
      }
      return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
    },
  ),
  numbers: {
    format: (value) => Array.from(value),
    parse(json) {
      if (!Array.isArray(json) || !json.every((n) => Number.isInteger(n) && n >= 0 && n <= 255)) {
        throw new Fault('CODEC_VALUE', 'expected an array of bytes (0 to 255)')
      }
      return Uint8Array.from(json)
    },
  },
}
