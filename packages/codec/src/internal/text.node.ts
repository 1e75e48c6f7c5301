import * as portable from './text.portable.ts'

const { latin1Slice, hexSlice, hexWrite, ucs2Write } = Buffer.prototype as Buffer & {
  latin1Slice(this: Uint8Array, start: number, end: number): string
  hexSlice(this: Uint8Array, start: number, end: number): string
  hexWrite(this: Uint8Array, text: string): number
  ucs2Write(this: Uint8Array, text: string): number
}

/**
 * Returns a string of the characters with codes `bytes[start]` to `bytes[end - 1]`. The platform's decoder is
 * four times as fast as string concatenation.
 */
export function latin1(bytes: Uint8Array, start: number, end: number): string {
  return latin1Slice.call(bytes, start, end)
}

/** Returns `bytes` as lowercase hex digits. */
export function hex(bytes: Uint8Array): string {
  return hexSlice.call(bytes, 0, bytes.length)
}

/** Number of bytes from which on the platform's decoder is faster. */
const LONG = 48

/**
 * Decodes hex digits in either case into `bytes`, from `text[start]` on. Returns the number of bytes before the first
 * one that has another character.
 */
export function unhex(text: string, start: number, bytes: Uint8Array): number {
  // The platform's decoder takes some characters outside ASCII for digits.
  if (bytes.length < LONG || Buffer.byteLength(text) > text.length) return portable.unhex(text, start, bytes)
  return hexWrite.call(bytes, start === 0 ? text : text.slice(start))
}

const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1

/**
 * Writes the UTF-16 code units of `text` from `start` on to `units`, as many as fit. Returns their number. Loops over an
 * array are twice as fast as those over a string.
 */
export function codeUnits(text: string, start: number, units: Uint16Array): number {
  // The platform's encoder always writes the low byte first.
  if (!isLittleEndian) return portable.codeUnits(text, start, units)
  const count = Math.min(text.length - start, units.length)
  ucs2Write.call(new Uint8Array(units.buffer), text.slice(start, start + count))
  return count
}
