import { Hex } from '@firn/codec'

/** The unsigned big-endian integer in `bytes`; 0 for none. */
export function fromBytes(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(Hex.encode(bytes))
}

/** `value` in exactly `length` big-endian bytes; the caller guarantees that it fits. */
export function toBytes(value: bigint, length: number): Uint8Array {
  return Hex.decodeBare(value.toString(16).padStart(length * 2, '0'))
}
