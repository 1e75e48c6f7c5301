import { keccak_256 } from '@noble/hashes/sha3.js'

/** Returns the first four bytes of the hash of a signature. */
export function selectorOf(signature: string): Uint8Array {
  return keccak_256(new TextEncoder().encode(signature)).subarray(0, 4)
}
