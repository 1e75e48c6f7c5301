import { hex } from '#text'
import { CodecError } from './CodecError.ts'
import { excerpt } from './internal/excerpt.ts'

/** Digit values by character code; 255 marks a character that is no digit. */
const VALUES = new Uint8Array(128).fill(255)
for (let i = 0; i < 10; i++) VALUES[48 + i] = i
for (let i = 0; i < 6; i++) {
  VALUES[65 + i] = 10 + i
  VALUES[97 + i] = 10 + i
}

/** Lower-case hex digits of `bytes` with the prefix `0x`; no bytes give `0x`. */
export function encode(bytes: Uint8Array): `0x${string}` {
  return `0x${hex(bytes)}`
}

/** Lower-case hex digits of `bytes`, without a prefix. */
export function encodeBare(bytes: Uint8Array): string {
  return hex(bytes)
}

/**
 * The bytes of `0x` and an even number of hex digits of either case.
 * @throws CodecError `CODEC_HEX`: prefix missing (`0X` is none), odd number of digits, or another character.
 */
export function decode(text: string): Uint8Array {
  if (!text.startsWith('0x')) {
    throw new CodecError('CODEC_HEX', `expected hex with the prefix 0x, got ${excerpt(text)}`)
  }
  return digits(text, 2)
}

/**
 * The bytes of an even number of hex digits without a prefix.
 * @throws CodecError `CODEC_HEX`
 */
export function decodeBare(text: string): Uint8Array {
  return digits(text, 0)
}

/**
 * The bytes of hex digits with or without the prefix `0x`.
 * @throws CodecError `CODEC_HEX`
 */
export function decodeAny(text: string): Uint8Array {
  return digits(text, text.startsWith('0x') ? 2 : 0)
}

function digits(text: string, start: number): Uint8Array {
  const count = text.length - start
  if (count % 2 !== 0) {
    throw new CodecError(
      'CODEC_HEX',
      `expected an even number of hex digits, got ${count} in ${excerpt(text)}`,
    )
  }
  const out = new Uint8Array(count / 2)
  for (let i = 0; i < out.length; i++) {
    out[i] = (digit(text, start + 2 * i) << 4) | digit(text, start + 2 * i + 1)
  }
  return out
}

function digit(text: string, index: number): number {
  const value = VALUES[text.charCodeAt(index)] ?? 255
  if (value === 255) {
    throw new CodecError(
      'CODEC_HEX',
      `expected a hex digit, got ${JSON.stringify(text[index])} at character ${index}`,
    )
  }
  return value
}
