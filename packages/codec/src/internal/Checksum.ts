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

/**
 * Returns the bytes before the checksum, or undefined if the checksum does not match. `checked` must have at
 * least 4 bytes.
 */
export function strip(checked: Uint8Array): Uint8Array | undefined {
  const end = checked.length - LENGTH
  const body = checked.slice(0, end)
  let given = 0
  for (let i = end; i < checked.length; i++) given = given * 256 + (checked[i] as number)
  return checksum(body) === given ? body : undefined
}
