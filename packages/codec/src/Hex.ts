import { hex, unhex } from '#text'
import { CodecError } from './CodecError.ts'
import { quoted } from './internal/quoted.ts'

/**
 * Encodes `bytes` as lowercase hex with the prefix `0x`. An empty array gives `0x`.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 *
 * Hex.encode(Uint8Array.of(0xca, 0xfe)) // '0xcafe'
 * ```
 */
export function encode(bytes: Uint8Array): `0x${string}` {
  return `0x${hex(bytes)}`
}

/**
 * Encodes `bytes` as lowercase hex without a prefix.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 *
 * Hex.encodeBare(Uint8Array.of(0xca, 0xfe)) // 'cafe'
 * ```
 */
export function encodeBare(bytes: Uint8Array): string {
  return hex(bytes)
}

/**
 * Decodes `0x` followed by an even number of hex digits in either case.
 * @throws CodecError `CODEC_HEX` if the prefix is missing (`0X` is not accepted), the number of digits is
 * odd, or there is another character
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 *
 * Hex.decode('0xCAFE') // Uint8Array [202, 254]
 * ```
 */
export function decode(text: string): Uint8Array {
  if (!text.startsWith('0x')) {
    throw new CodecError('CODEC_HEX', `expected hex with the prefix 0x, got ${quoted(text)}`)
  }
  return digits(text, 2)
}

/**
 * Decodes an even number of hex digits without a prefix.
 * @throws CodecError `CODEC_HEX`
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 *
 * Hex.decodeBare('cafe') // Uint8Array [202, 254]
 * ```
 */
export function decodeBare(text: string): Uint8Array {
  return digits(text, 0)
}

/**
 * Decodes hex digits with or without the prefix `0x`.
 * @throws CodecError `CODEC_HEX`
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 *
 * Hex.decodeAny('0xcafe') // Uint8Array [202, 254]
 * Hex.decodeAny('cafe') // Uint8Array [202, 254]
 * ```
 */
export function decodeAny(text: string): Uint8Array {
  return digits(text, text.startsWith('0x') ? 2 : 0)
}

function digits(text: string, start: number): Uint8Array {
  const count = text.length - start
  if (count % 2 !== 0) {
    throw new CodecError(
      'CODEC_HEX',
      `expected an even number of hex digits, got ${count} in ${quoted(text)}`,
    )
  }
  const out = new Uint8Array(count / 2)
  const good = unhex(text, start, out)
  if (good === out.length) return out
  const first = start + 2 * good
  const index = /[\da-f]/i.test(text.charAt(first)) ? first + 1 : first
  throw new CodecError(
    'CODEC_HEX',
    `expected a hex digit, got ${JSON.stringify(text[index])} at character ${index}`,
  )
}
