import { excerpt } from '../excerpt.ts'
import type { Json } from '../Json.ts'
import { type Codec, create } from './Codec.ts'
import { Fault, type Reader, readU8, readU16, readU32, take, viewOf as viewOfReader } from './Reader.ts'
import { advance, viewOf as viewOfWriter, type Writer, writeU8, writeU16, writeU32 } from './Writer.ts'

/** Codec of a boolean in one byte, which must be 0 or 1. */
export const bool: Codec<boolean> = create({
  minSize: 1,
  fixedSize: 1,
  size: () => 1,
  read(reader) {
    const byte = readU8(reader)
    if (byte !== 0 && byte !== 1) {
      throw new Fault('CODEC_VALUE', `expected a boolean (0 or 1), got ${byte}`, reader.offset - 1)
    }
    return byte === 1
  },
  write(writer, value) {
    if (typeof value !== 'boolean') throw new Fault('CODEC_VALUE', `expected a boolean, got ${typeof value}`)
    writeU8(writer, value ? 1 : 0)
  },
  json: (value) => value,
  unjson(json) {
    if (typeof json !== 'boolean') throw new Fault('CODEC_VALUE', `expected a boolean, got ${typeof json}`)
    return json
  },
  arbitrary: (fc) => fc.boolean(),
})

/** Codecs of unsigned and signed integers of up to 32 bits, big-endian, as `number`. */
export const u8 = small(1, 0, 0xff, readU8, writeU8)
export const u16 = small(2, 0, 0xffff, readU16, writeU16)
export const u32 = small(4, 0, 0xffff_ffff, readU32, writeU32)
export const i8 = small(1, -0x80, 0x7f, (reader) => (readU8(reader) << 24) >> 24, writeU8)
export const i16 = small(2, -0x8000, 0x7fff, (reader) => (readU16(reader) << 16) >> 16, writeU16)
export const i32 = small(4, -0x8000_0000, 0x7fff_ffff, (reader) => readU32(reader) | 0, writeU32)

/**
 * Codecs of 64-bit integers, big-endian, as `bigint`. In JSON they are bare numbers, as Go's `encoding/json`
 * prints them.
 */
export const u64 = large(
  0n,
  0xffff_ffff_ffff_ffffn,
  (r, at) => viewOfReader(r).getBigUint64(at),
  (w, at, value) => viewOfWriter(w).setBigUint64(at, value),
)
export const i64 = large(
  -0x8000_0000_0000_0000n,
  0x7fff_ffff_ffff_ffffn,
  (r, at) => viewOfReader(r).getBigInt64(at),
  (w, at, value) => viewOfWriter(w).setBigInt64(at, value),
)

function small(
  bytes: number,
  min: number,
  max: number,
  read: (reader: Reader) => number,
  write: (writer: Writer, value: number) => void,
): Codec<number> {
  const check = (value: unknown): number => {
    if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value
    throw new Fault('CODEC_VALUE', `expected an integer from ${min} to ${max}, got ${excerpt(value)}`)
  }
  return create({
    minSize: bytes,
    fixedSize: bytes,
    size: () => bytes,
    read,
    write: (writer, value) => write(writer, check(value)),
    json: (value) => value,
    unjson: check,
    arbitrary: (fc) => fc.integer({ min, max }),
  })
}

function large(
  min: bigint,
  max: bigint,
  get: (reader: Reader, at: number) => bigint,
  set: (writer: Writer, at: number, value: bigint) => void,
): Codec<bigint> {
  const check = (value: unknown): bigint => {
    if (typeof value === 'bigint' && value >= min && value <= max) return value
    throw new Fault('CODEC_VALUE', `expected a bigint from ${min} to ${max}, got ${excerpt(value)}`)
  }
  return create({
    minSize: 8,
    fixedSize: 8,
    size: () => 8,
    read: (reader) => get(reader, take(reader, 8, 'u64')),
    write: (writer, value) => set(writer, advance(writer, 8), check(value)),
    json: (value) => value,
    unjson: (json: Json) =>
      check(typeof json === 'number' && Number.isSafeInteger(json) ? BigInt(json) : json),
    arbitrary: (fc) => fc.bigInt({ min, max }),
  })
}
