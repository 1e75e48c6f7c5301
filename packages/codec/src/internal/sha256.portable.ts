import { sha256 } from '@noble/hashes/sha2.js'

export { sha256 }

/** Returns the last 4 bytes of the SHA-256 as a number. */
export function checksum(bytes: Uint8Array): number {
  return new DataView(sha256(bytes).buffer).getUint32(28)
}
