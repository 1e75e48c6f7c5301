import type { Json } from '../Json.ts'
import { type Codec, create } from './Codec.ts'
import { Fault, type Reader, take } from './Reader.ts'
import { advance, type Writer } from './Writer.ts'

/** One byte, which must be 0 or 1. */
export const bool: Codec<boolean> = create({
  minSize: 1,
  fixedSize: 1,
  size: () => 1,
  read(reader) {
    const byte = reader.bytes[take(reader, 1)]
    if (byte !== 0 && byte !== 1) {
      throw new Fault('CODEC_VALUE', `expected a bool of 0 or 1, got ${byte}`, reader.offset - 1)
    }
    return byte === 1
  },
  write(writer, value) {
    if (typeof value !== 'boolean') throw new Fault('CODEC_VALUE', `expected a boolean, got ${typeof value}`)
    writer.bytes[advance(writer, 1)] = value ? 1 : 0
  },
  json: (value) => value,
  unjson(json) {
    if (typeof json !== 'boolean')
      throw new Fault('CODEC_VALUE', `expected true or false, got ${typeof json}`)
    return json
  },
  arbitrary: (fc) => fc.boolean(),
})

/** Unsigned and signed integers of up to 32 bits, big-endian, as `number`. */
export const u8 = small(
  1,
  0,
  0xff,
  (r, at) => r.view.getUint8(at),
  (w, at, value) => w.view.setUint8(at, value),
)
export const u16 = small(
  2,
  0,
  0xffff,
  (r, at) => r.view.getUint16(at),
  (w, at, value) => w.view.setUint16(at, value),
)
export const u32 = small(
  4,
  0,
  0xffff_ffff,
  (r, at) => r.view.getUint32(at),
  (w, at, value) => w.view.setUint32(at, value),
)
export const i8 = small(
  1,
  -0x80,
  0x7f,
  (r, at) => r.view.getInt8(at),
  (w, at, value) => w.view.setInt8(at, value),
)
export const i16 = small(
  2,
  -0x8000,
  0x7fff,
  (r, at) => r.view.getInt16(at),
  (w, at, value) => w.view.setInt16(at, value),
)
export const i32 = small(
  4,
  -0x8000_0000,
  0x7fff_ffff,
  (r, at) => r.view.getInt32(at),
  (w, at, value) => w.view.setInt32(at, value),
)

/** 64-bit integers, big-endian, as `bigint`; bare numbers in JSON, as Go's `encoding/json` prints them. */
export const u64 = large(
  0n,
  0xffff_ffff_ffff_ffffn,
  (r, at) => r.view.getBigUint64(at),
  (w, at, value) => w.view.setBigUint64(at, value),
)
export const i64 = large(
  -0x8000_0000_0000_0000n,
  0x7fff_ffff_ffff_ffffn,
  (r, at) => r.view.getBigInt64(at),
  (w, at, value) => w.view.setBigInt64(at, value),
)

function small(
  bytes: number,
  min: number,
  max: number,
  get: (reader: Reader, at: number) => number,
  set: (writer: Writer, at: number, value: number) => void,
): Codec<number> {
  const check = (value: unknown): number => {
    if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value
    throw new Fault('CODEC_VALUE', `expected an integer from ${min} to ${max}, got ${String(value)}`)
  }
  return create({
    minSize: bytes,
    fixedSize: bytes,
    size: () => bytes,
    read: (reader) => get(reader, take(reader, bytes)),
    write: (writer, value) => set(writer, advance(writer, bytes), check(value)),
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
    throw new Fault('CODEC_VALUE', `expected a bigint from ${min} to ${max}, got ${String(value)}`)
  }
  return create({
    minSize: 8,
    fixedSize: 8,
    size: () => 8,
    read: (reader) => get(reader, take(reader, 8)),
    write: (writer, value) => set(writer, advance(writer, 8), check(value)),
    json: (value) => value,
    unjson: (json: Json) =>
      check(typeof json === 'number' && Number.isSafeInteger(json) ? BigInt(json) : json),
    arbitrary: (fc) => fc.bigInt({ min, max }),
  })
}
