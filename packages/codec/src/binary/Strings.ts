import type { Arbitrary, FastCheck } from './Arbitrary.ts'
import { put, slice } from './ByteStrings.ts'
import { type Codec, create } from './Codec.ts'
import { Fault, readU16 } from './Reader.ts'
import { writeU16 } from './Writer.ts'

const MAX_LENGTH = 0xffff

/**
 * Offset of the surrogates that replace invalid bytes: U+DC80–U+DCFF represent the bytes 80–ff that are not
 * valid UTF-8.
 */
const ESCAPE = 0xdc00

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const encoder = new TextEncoder()

/**
 * Codec of a string with a u16 length prefix in bytes. The node accepts any bytes here, so invalid UTF-8
 * survives a round trip as lone surrogates U+DC80–U+DCFF. JSON prints each of them as U+FFFD, as the node
 * does.
 */
export const string: Codec<string> = text(decodeLossless, (fc) =>
  fc.string({ unit: 'binary', maxLength: 24 }),
)

/** Codec of a string with a u16 length prefix in bytes, which must be valid UTF-8. */
export const utf8: Codec<string> = text(decodeStrict, (fc) => fc.string({ unit: 'binary', maxLength: 24 }))

function text(
  decode: (bytes: Uint8Array) => string | undefined,
  arbitrary: (fc: FastCheck) => Arbitrary<string>,
): Codec<string> {
  const bytesOf = (value: unknown): Uint8Array => {
    if (typeof value !== 'string') throw new Fault('CODEC_VALUE', `expected a string, got ${typeof value}`)
    const bytes = encode(value, decode === decodeLossless)
    if (bytes.length > MAX_LENGTH) {
      throw new Fault('CODEC_LENGTH', `expected a string of at most ${MAX_LENGTH} bytes, got ${bytes.length}`)
    }
    return bytes
  }
  return create({
    minSize: 2,
    fixedSize: undefined,
    size: (value) => 2 + bytesOf(value).length,
    read(reader) {
      const length = readU16(reader, 'string')
      const start = reader.offset
      const value = decode(slice(reader, length, 'string'))
      if (value === undefined) throw new Fault('CODEC_UTF8', `expected ${length} bytes of valid UTF-8`, start)
      return value
    },
    write(writer, value) {
      const bytes = bytesOf(value)
      writeU16(writer, bytes.length)
      put(writer, bytes)
    },
    json: (value) => value,
    unjson(json) {
      if (typeof json !== 'string') throw new Fault('CODEC_VALUE', `expected a string, got ${typeof json}`)
      return json
    },
    arbitrary,
  })
}

function encode(value: string, escapes: boolean): Uint8Array {
  if (value.isWellFormed()) return encoder.encode(value)
  const bytes: number[] = []
  for (const character of value) {
    const point = character.codePointAt(0) as number
    if (point < 0xd800 || point > 0xdfff) bytes.push(...encoder.encode(character))
    else if (escapes && point >= ESCAPE + 0x80 && point <= ESCAPE + 0xff) bytes.push(point - ESCAPE)
    else
      throw new Fault(
        'CODEC_UTF8',
        `expected a string, got the lone surrogate U+${point.toString(16).toUpperCase()}`,
      )
  }
  return Uint8Array.from(bytes)
}

function decodeStrict(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

function decodeLossless(bytes: Uint8Array): string {
  const whole = decodeStrict(bytes)
  if (whole !== undefined) return whole
  let out = ''
  for (let i = 0; i < bytes.length; ) {
    const length = sequenceLength(bytes[i] as number)
    const character = decodeStrict(bytes.subarray(i, i + length))
    if (length > 0 && character !== undefined) {
      out += character
      i += length
    } else {
      out += String.fromCharCode(ESCAPE + (bytes[i] as number))
      i += 1
    }
  }
  return out
}

function sequenceLength(first: number): number {
  if (first < 0x80) return 1
  if (first < 0xc2) return 0
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0
}
