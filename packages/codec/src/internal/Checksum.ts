import { sha256 } from '#sha256'
import * as Bytes from '../Bytes.ts'

/** Length in bytes of the checksum that cb58 and checksummed hex append. */
export const LENGTH = 4

/** `bytes` followed by the last 4 bytes of their single SHA-256. */
export function append(bytes: Uint8Array): Uint8Array {
  return Bytes.concat(bytes, sha256(bytes).subarray(-LENGTH))
}

/** The bytes before the checksum, or undefined when it doesn't fit; `checked` has at least 4 bytes. */
export function strip(checked: Uint8Array): Uint8Array | undefined {
  const body = checked.slice(0, -LENGTH)
  return Bytes.equals(sha256(body).subarray(-LENGTH), checked.subarray(-LENGTH)) ? body : undefined
}
