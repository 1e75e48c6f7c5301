/** Size of the memory that arrays share. An array that is kept longer than its block keeps this much memory. */
const SHARED = 8_192

let memory = new Uint8Array(SHARED)
let used = 0

/**
 * Returns an array of zeros for the bytes of a block, of at most {@link SHARED} bytes. The arrays share memory, because
 * blocks have thousands of short ones. One of more than 64 bytes with separate memory takes eight times as long to
 * allocate, and so does the first view into a shorter one.
 */
export function takeBytes(length: number): Uint8Array {
  if (used + length > SHARED) {
    memory = new Uint8Array(SHARED)
    used = 0
  }
  used += length
  return memory.subarray(used - length, used)
}
