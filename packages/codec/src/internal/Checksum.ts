import { checksum } from '#sha256'

/** Length in bytes of the checksum in cb58 and in hex with a checksum. */
export const LENGTH = 4

/** Returns `bytes` followed by the last 4 bytes of their SHA-256. */
export function append(bytes: Uint8Array): Uint8Array {
  const { length } = bytes
  const sum = checksum(bytes)
  const out = new Uint8Array(length + LENGTH)
  out.set(bytes)
  out[length] = sum >>> 24
  out[length + 1] = sum >>> 16
  out[length + 2] = sum >>> 8
  out[length + 3] = sum
  return out
}

/** Returns the checksum of `bytes` in hex. */
export function hex(bytes: Uint8Array): string {
  return checksum(bytes)
    .toString(16)
    .padStart(2 * LENGTH, '0')
}

/** Returns whether `given` is the checksum of `bytes`. */
export function matches(bytes: Uint8Array, given: Uint8Array): boolean {
  let sum = 0
  for (let i = 0; i < LENGTH; i++) sum = sum * 256 + (given[i] as number)
  return checksum(bytes) === sum
}
