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

/** Digit values by character code; 255 marks a character that is not a hex digit. */
const VALUES = new Uint8Array(128).fill(255)
for (let i = 0; i < 10; i++) VALUES[48 + i] = i
for (let i = 0; i < 6; i++) {
  VALUES[65 + i] = 10 + i
  VALUES[97 + i] = 10 + i
}

/**
 * Decodes hex digits in either case into `bytes`, from `text[start]` on. Returns the number of bytes before the first
 * one that has another character.
 */
export function unhex(text: string, start: number, bytes: Uint8Array): number {
  for (let i = 0; i < bytes.length; i++) {
    const high = VALUES[text.charCodeAt(start + 2 * i)] ?? 255
    const low = VALUES[text.charCodeAt(start + 2 * i + 1)] ?? 255
    if (high === 255 || low === 255) return i
    bytes[i] = (high << 4) | low
  }
  return bytes.length
}

/** Writes the UTF-16 code units of `text` from `start` on to `units`, as many as fit. Returns their number. */
export function codeUnits(text: string, start: number, units: Uint16Array): number {
  const count = Math.min(text.length - start, units.length)
  for (let i = 0; i < count; i++) units[i] = text.charCodeAt(start + i)
  return count
}
