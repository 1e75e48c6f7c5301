import { CodecError } from '../CodecError.ts'
import type { Json } from '../Json.ts'
import type { Arbitrary, FastCheck } from './Arbitrary.ts'
import * as Reader from './Reader.ts'
import * as Writer from './Writer.ts'

/** Additional information for rendering a structure as the node's JSON. */
export interface JsonContext {
  /** Human-readable part of the network's bech32 addresses. */
  readonly hrp?: string
  /** Alias of the chain, printed before addresses. */
  readonly chain?: string
  readonly [name: string]: unknown
}

/** Encoding of one type of value as bytes and as the node's JSON. */
export interface Codec<T> {
  /**
   * Encodes `value`.
   * @throws CodecError `CODEC_VALUE`, `CODEC_LENGTH`, `CODEC_SIZE`, `CODEC_UTF8`, `CODEC_ORDER`,
   * `CODEC_RECURSIVE`, with `path`
   */
  encode(value: T): Uint8Array
  /**
   * Decodes a value from all of `bytes`. Byte strings inside the value are views of `bytes`, not copies. Copy
   * them if you modify `bytes` later, or if you keep a small part of a large frame.
   * @throws CodecError if the bytes are malformed, with `path` and `offset`
   */
  decode(bytes: Uint8Array): T
  /** Returns the length in bytes of the encoded `value`. */
  size(value: T): number
  /** Converts `value` to the node's JSON. */
  toJSON(value: T, context?: JsonContext): Json
  /**
   * Converts the node's JSON to a value.
   * @throws CodecError `CODEC_VALUE` with `path`, or the code of a malformed string
   */
  fromJSON(json: Json, context?: JsonContext): T
  /**
   * Returns a generator of random values of the type. `open` contains the enclosing union types, which may
   * not occur again. In tests, use `@firn/codec/testing`, which offers the same generator with fast-check's
   * own types.
   */
  arbitrary(fc: FastCheck, open?: readonly unknown[]): Arbitrary<T>
  /** Minimum encoded size of a value in bytes. Items of 0 bytes would make a count unbounded, so lists of them are empty. */
  readonly minSize: number
  /** Encoded size in bytes if it is the same for every value, otherwise undefined. */
  readonly fixedSize: number | undefined
  /**
   * Low-level functions for combinators. They throw a `Fault`, which the public functions above convert to a
   * CodecError.
   */
  read(reader: Reader.Reader): T
  write(writer: Writer.Writer, value: T): void
  json(value: T, context: JsonContext): Json
  unjson(json: Json, context: JsonContext): T
}

/** Type of the values of a codec. */
export type Infer<C> = C extends { decode(bytes: Uint8Array): infer T } ? T : never

/** The functions and sizes that define a codec; {@link create} adds the rest. */
export type Layout<T> = Omit<Codec<T>, 'encode' | 'decode' | 'toJSON' | 'fromJSON'>

const NO_CONTEXT: JsonContext = {}

/** Creates a codec from its layout. */
export function create<T>(layout: Layout<T>): Codec<T> {
  return {
    ...layout,
    encode: (value) => encode(layout, value),
    decode: (bytes) => decode(layout, bytes),
    toJSON: (value, context = NO_CONTEXT) => guard(() => layout.json(value, context)),
    fromJSON: (value, context = NO_CONTEXT) => guard(() => layout.unjson(value, context)),
  }
}

function encode<T>(layout: Layout<T>, value: T): Uint8Array {
  return guard(() => {
    const writer = Writer.create(layout.size(value))
    layout.write(writer, value)
    return writer.bytes
  })
}

function decode<T>(layout: Layout<T>, bytes: Uint8Array): T {
  return guard(() => {
    const reader = Reader.create(bytes)
    const value = layout.read(reader)
    const left = bytes.length - reader.offset
    if (left > 0) {
      throw new Reader.Fault('CODEC_TRAILING', `expected the end, got ${left} more bytes`, reader.offset)
    }
    return value
  })
}

function guard<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof Reader.Fault ? toCodecError(error) : error
  }
}

function toCodecError(fault: Reader.Fault): CodecError {
  const path = Reader.formatPath(fault.path)
  const where = [path === '' ? '' : `in ${path}`, fault.offset === undefined ? '' : `at byte ${fault.offset}`]
  const place = where.filter((part) => part !== '').join(' ')
  return new CodecError(fault.code, place === '' ? fault.expectation : `${fault.expectation} (${place})`, {
    path,
    details: fault.details,
    cause: fault.cause,
    ...(fault.offset === undefined ? {} : { offset: fault.offset }),
  })
}
