import { sha256 } from '#sha256'
import * as Cb58 from './Cb58.ts'
import { CodecError } from './CodecError.ts'

/** Length of an id in bytes. */
export const LENGTH = 32

/** The all-zero id: the Primary Network's subnet id and the P-chain's blockchain id. */
export const EMPTY: Uint8Array = new Uint8Array(LENGTH)

/**
 * Formats a 32-byte id as CB58.
 * @throws CodecError `CODEC_ID`
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 *
 * Id.format(Id.EMPTY) // '11111111111111111111111111111111LpoYY'
 * ```
 */
export function format(id: Uint8Array): string {
  return Cb58.encode(assertLength(id, LENGTH))
}

/**
 * Parses a CB58 id into its 32 bytes.
 * @throws CodecError `CODEC_CB58`, `CODEC_CHECKSUM`, `CODEC_ID` (not 32 bytes)
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 *
 * const chainId = Id.parse('2oYMBNV4eNHyqk2fjjV5nVQLDbtmNJzq5s3qs3Lo6ftnC6FByM')
 * chainId.length // 32
 * ```
 */
export function parse(text: string): Uint8Array {
  return assertLength(Cb58.decode(text), LENGTH)
}

/**
 * Returns the id of an encoded object: the SHA-256 of `bytes`.
 *
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 *
 * declare const signedBytes: Uint8Array
 * const txId = Id.format(Id.hash(signedBytes))
 * ```
 */
export function hash(bytes: Uint8Array): Uint8Array {
  return sha256(bytes)
}

/**
 * Returns the SHA-256 of the u64 `prefixes` (big-endian) followed by the id. The input id of a UTXO is
 * `prefix(txID, outputIndex)`.
 *
 * @throws CodecError `CODEC_ID` if the id does not have 32 bytes
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 *
 * const txId = Id.parse('2oYMBNV4eNHyqk2fjjV5nVQLDbtmNJzq5s3qs3Lo6ftnC6FByM')
 * const inputId = Id.prefix(txId, 0n) // id of the UTXO that the first output of the transaction creates
 * ```
 */
export function prefix(id: Uint8Array, ...prefixes: readonly bigint[]): Uint8Array {
  const bytes = new Uint8Array(prefixes.length * 8 + LENGTH)
  const view = new DataView(bytes.buffer)
  prefixes.forEach((value, i) => {
    view.setBigUint64(i * 8, value)
  })
  bytes.set(assertLength(id, LENGTH), prefixes.length * 8)
  return sha256(bytes)
}

/**
 * Returns the SHA-256 of the id followed by the u32 `suffixes` (big-endian). The id of an initial L1
 * validator is `append(subnetID, index)`.
 *
 * @throws CodecError `CODEC_ID` if the id does not have 32 bytes
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 *
 * const subnetId = Id.parse('2oYMBNV4eNHyqk2fjjV5nVQLDbtmNJzq5s3qs3Lo6ftnC6FByM')
 * const validationId = Id.append(subnetId, 0) // id of the first initial validator
 * ```
 */
export function append(id: Uint8Array, ...suffixes: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(LENGTH + suffixes.length * 4)
  const view = new DataView(bytes.buffer)
  bytes.set(assertLength(id, LENGTH))
  suffixes.forEach((value, i) => {
    view.setUint32(LENGTH + i * 4, value)
  })
  return sha256(bytes)
}

/**
 * Returns the bitwise exclusive or of two ids.
 *
 * @throws CodecError `CODEC_ID` if one of the ids does not have 32 bytes
 * @example
 * ```ts
 * import { Bytes, Id } from '@firn/codec'
 *
 * Bytes.isZero(Id.xor(Id.EMPTY, Id.EMPTY)) // true
 * ```
 */
export function xor(a: Uint8Array, b: Uint8Array): Uint8Array {
  assertLength(b, LENGTH)
  return assertLength(a, LENGTH).map((byte, i) => byte ^ (b[i] as number))
}

/**
 * Returns bit `index` (0–255) of an id, counted from the least significant bit of the first byte.
 *
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 *
 * Id.bit(Uint8Array.of(0b0000_0100), 2) // 1
 * ```
 */
export function bit(id: Uint8Array, index: number): 0 | 1 {
  return (((id[index >> 3] as number) >> (index & 7)) & 1) as 0 | 1
}

/**
 * Returns `bytes` if they have the given length.
 * @throws CodecError `CODEC_ID`
 * @example
 * ```ts
 * import { Id, ShortId } from '@firn/codec'
 *
 * Id.assertLength(new Uint8Array(20), ShortId.LENGTH).length // 20
 * ```
 */
export function assertLength(bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length !== length) {
    throw new CodecError('CODEC_ID', `expected an id of ${length} bytes, got ${bytes.length}`)
  }
  return bytes
}
