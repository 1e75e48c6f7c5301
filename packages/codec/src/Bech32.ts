import { CodecError } from './CodecError.ts'
import { decode as decodeText, encode as encodeText } from './internal/bech32.ts'
import { quoted } from './internal/quoted.ts'

/** Maximum length of a bech32 string in characters (BIP 173). */
export const MAX_TEXT_LENGTH = 90

/** A decoded bech32 string: the human-readable part and the payload. */
export interface Decoded {
  readonly hrp: string
  readonly payload: Uint8Array
}

/**
 * Encodes a human-readable part and a payload as lowercase bech32.
 * @throws CodecError `CODEC_BECH32` if the human-readable part is empty or not printable ASCII
 * @example
 * ```ts
 * import { Bech32 } from '@firn/codec'
 *
 * Bech32.encode('avax', new Uint8Array(20)) // 'avax1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqxpdk7q'
 * ```
 */
export function encode(hrp: string, payload: Uint8Array): string {
  if (hrp === '' || !isPrintable(hrp)) {
    throw new CodecError(
      'CODEC_BECH32',
      `expected a human-readable part of printable ASCII, got ${quoted(hrp)}`,
    )
  }
  return encodeText(hrp.toLowerCase(), payload)
}

/**
 * Decodes a bech32 string by the node's lenient rules. A bech32m checksum is also accepted. The last group of
 * bits is padded to a byte, so a payload whose bit count is not a multiple of 5 comes back one byte longer.
 * Source: avalanchego `utils/formatting/address`.
 * @throws CodecError `CODEC_BECH32`
 * @example
 * ```ts
 * import { Bech32 } from '@firn/codec'
 *
 * const { hrp, payload } = Bech32.decode('local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u')
 * console.log(hrp, payload.length) // local 20
 * ```
 */
export function decode(text: string): Decoded {
  const decoded = text.length <= MAX_TEXT_LENGTH && isPrintable(text) ? decodeText(text) : undefined
  if (decoded === undefined) {
    throw new CodecError(
      'CODEC_BECH32',
      `expected a bech32 string of at most ${MAX_TEXT_LENGTH} characters with a valid checksum, got ${quoted(text)}`,
    )
  }
  return { hrp: decoded.hrp, payload: padToBytes(decoded.words) }
}

function isPrintable(text: string): boolean {
  return /^[\x21-\x7e]*$/.test(text)
}

function padToBytes(words: readonly number[]): Uint8Array {
  const out = new Uint8Array(Math.ceil((words.length * 5) / 8))
  words.forEach((word, i) => {
    const bit = i * 5
    const shifted = word << (11 - (bit % 8))
    out[bit >> 3] = (out[bit >> 3] as number) | (shifted >> 8)
    if ((bit >> 3) + 1 < out.length) out[(bit >> 3) + 1] = (out[(bit >> 3) + 1] as number) | (shifted & 0xff)
  })
  return out
}
