import { sha256 } from '#sha256'
import * as Cb58 from './Cb58.ts'
import { CodecError } from './CodecError.ts'

/** Length of an id in bytes. */
export const LENGTH = 32

/** 32 zero bytes: the Primary Network's subnet id and the P-chain's blockchain id. */
export const EMPTY: Uint8Array = new Uint8Array(LENGTH)

/**
 * CB58 text of a 32-byte id.
 * @throws CodecError `CODEC_ID`
 */
export function format(id: Uint8Array): string {
  return Cb58.encode(assertLength(id, LENGTH))
}

/**
 * The 32 bytes of a CB58 id.
 * @throws CodecError `CODEC_CB58`, `CODEC_CHECKSUM`, `CODEC_ID` (another length)
 */
export function parse(text: string): Uint8Array {
  return assertLength(Cb58.decode(text), LENGTH)
}

/** The id of what `bytes` encode: their SHA-256. */
export function hash(bytes: Uint8Array): Uint8Array {
  return sha256(bytes)
}

/** SHA-256 of the u64 `prefixes` (big-endian) and the id. A UTXO's input id is `prefix(txID, outputIndex)`. */
export function prefix(id: Uint8Array, ...prefixes: readonly bigint[]): Uint8Array {
  const bytes = new Uint8Array(prefixes.length * 8 + LENGTH)
  const view = new DataView(bytes.buffer)
  prefixes.forEach((value, i) => {
    view.setBigUint64(i * 8, value)
  })
  bytes.set(assertLength(id, LENGTH), prefixes.length * 8)
  return sha256(bytes)
}

/** SHA-256 of the id and the u32 `suffixes` (big-endian). An initial L1 validator's id is `append(subnetID, index)`. */
export function append(id: Uint8Array, ...suffixes: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(LENGTH + suffixes.length * 4)
  const view = new DataView(bytes.buffer)
  bytes.set(assertLength(id, LENGTH))
  suffixes.forEach((value, i) => {
    view.setUint32(LENGTH + i * 4, value)
  })
  return sha256(bytes)
}

/** Bitwise exclusive or of two ids. */
export function xor(a: Uint8Array, b: Uint8Array): Uint8Array {
  assertLength(b, LENGTH)
  return assertLength(a, LENGTH).map((byte, i) => byte ^ (b[i] as number))
}

/** Bit `index` of an id, 0–255, counted from the least significant bit of the first byte. */
export function bit(id: Uint8Array, index: number): 0 | 1 {
  return (((id[index >> 3] as number) >> (index & 7)) & 1) as 0 | 1
}

/** `bytes` when they have the length of the kind of id, else the error that says so. */
export function assertLength(bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length !== length) {
    throw new CodecError('CODEC_ID', `expected an id of ${length} bytes, got ${bytes.length}`)
  }
  return bytes
}
