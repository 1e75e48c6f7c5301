const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/**
 * Returns a string of the characters with codes `bytes[start]` to `bytes[end - 1]`. For short strings only.
 */
export function latin1(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, end))
}

/** Returns `bytes` as lowercase hex digits. */
export function hex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += DIGITS[byte]
  return text
}
