/**
 * The declarative binary codec. A single declaration provides the encoding, the TypeScript type, the size,
 * the node's JSON and random values. The encoding is big-endian, and decoding is strict and bounded. Source:
 * avalanchego `codec/linearcodec` and `codec.Manager`.
 */

export type { Arbitrary, FastCheck } from './binary/Arbitrary.ts'
export { type BytesJson, bytes, fixed, id, nodeId, shortId } from './binary/ByteStrings.ts'
export type { Codec, Infer, JsonContext } from './binary/Codec.ts'
export { array, type Entry, map, tuple } from './binary/Collections.ts'
export { bool, i8, i16, i32, i64, u8, u16, u32, u64 } from './binary/Numbers.ts'
export { string, utf8 } from './binary/Strings.ts'
export { type Fields, type Flat, type InferFields, type StructCodec, struct } from './binary/Struct.ts'
export { type InferVariants, type UnionOptions, union, type Variants } from './binary/Union.ts'
export { DEFAULT_MAX_SIZE, lazy, versioned, withJson } from './binary/Wrappers.ts'
