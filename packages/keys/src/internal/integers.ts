import { Hex } from '@firn/codec'

/** Returns the unsigned big-endian integer in `bytes`, or 0 for an empty array. */
export function fromBytes(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(Hex.encode(bytes))
}

/** Returns `value` as exactly `length` big-endian bytes. The caller must ensure that the value fits. */
export function toBytes(value: bigint, length: number): Uint8Array {
  return Hex.decodeBare(value.toString(16).padStart(length * 2, '0'))
}
