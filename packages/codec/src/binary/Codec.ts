import { CodecError } from '../CodecError.ts'
import type { Json } from '../Json.ts'
import type { Arbitrary, FastCheck } from './Arbitrary.ts'
import * as Reader from './Reader.ts'
import * as Writer from './Writer.ts'

/** What rendering a structure as the node's JSON may need to know beside the structure. */
export interface JsonContext {
  /** Human-readable part of the network's addresses. */
  readonly hrp?: string
  /** Alias of the chain that addresses are printed with. */
  readonly chain?: string
  readonly [name: string]: unknown
}

/** How one type of value stands in bytes and in the node's JSON. */
export interface Codec<T> {
  /**
   * The bytes of `value`.
   * @throws CodecError `CODEC_VALUE`, `CODEC_LENGTH`, `CODEC_SIZE`, `CODEC_UTF8`, `CODEC_ORDER`, `CODEC_RECURSIVE`, with `path`
   */
  encode(value: T): Uint8Array
  /**
   * The value that `bytes` encode, all of them. Byte strings inside it are views of `bytes`, not copies: whoever goes on to
   * change `bytes`, or keeps a small part of a large frame, makes a copy.
   * @throws CodecError any `CODEC_…` of binary data, with `path` and `offset`
   */
  decode(bytes: Uint8Array): T
  /** Length in bytes of the encoded `value`. */
  size(value: T): number
  /** The node's JSON of `value`. */
  toJSON(value: T, context?: JsonContext): Json
  /**
   * The value that the node's JSON stands for.
   * @throws CodecError `CODEC_VALUE` with `path`, or a text's own code
   */
  fromJSON(json: Json, context?: JsonContext): T
  /**
   * Returns random values of the type; `open` holds the union types that may not occur again on the way down. Tests get
   * them with fast-check's own type from `@firn/codec/testing`.
   */
  arbitrary(fc: FastCheck, open?: readonly unknown[]): Arbitrary<T>
  /** Fewest bytes that any value takes; bounds counts before memory is taken. */
  readonly minSize: number
  /** Bytes that every value takes, where all take the same. */
  readonly fixedSize: number | undefined
  /** The four that combinators build on; they throw a `Fault`, which the entrances above turn into a CodecError. */
  read(reader: Reader.Reader): T
  write(writer: Writer.Writer, value: T): void
  json(value: T, context: JsonContext): Json
  unjson(json: Json, context: JsonContext): T
}

/** The type of the values of a codec. */
export type Infer<C> = C extends { decode(bytes: Uint8Array): infer T } ? T : never

/** What a codec must say of itself; the rest follows. */
export type Layout<T> = Omit<Codec<T>, 'encode' | 'decode' | 'toJSON' | 'fromJSON'>

const NO_CONTEXT: JsonContext = {}

/** The codec of a layout. */
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
      throw new Reader.Fault(
        'CODEC_TRAILING',
        `expected the end of the structure, got ${left} more bytes`,
        reader.offset,
      )
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
    cause: fault.cause,
    ...(fault.offset === undefined ? {} : { offset: fault.offset }),
  })
}
