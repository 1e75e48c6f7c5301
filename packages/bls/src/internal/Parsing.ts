/**
 * Returns the result of `parse`, or null if it throws. The libraries report invalid input only by throwing.
 */
export function parseOrNull<T>(parse: () => T): T | null {
  try {
    return parse()
  } catch {
    return null
  }
}

/** Returns why `bytes` are not a valid value: the length is not `size`, or the bytes are not `expected`. */
export function mismatch(bytes: Uint8Array, size: number, expected: string): string {
  return bytes.length === size
    ? `the ${size} bytes are not ${expected}`
    : `expected ${size} bytes, got ${bytes.length}`
}
