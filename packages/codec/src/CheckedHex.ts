import { hex } from '#text'
import { CodecError } from './CodecError.ts'
import * as Hex from './Hex.ts'
import * as Checksum from './internal/Checksum.ts'
import { quoted } from './internal/quoted.ts'

/** The node's string encodings for bytes. `hex` and `hexc` include a checksum, `hexnc` does not. */
export type Encoding = 'hex' | 'hexc' | 'hexnc'

/**
 * Encodes `bytes` as the node does: `0x` hex with the last 4 bytes of their SHA-256 appended, unless the
 * encoding is `hexnc`. Source: avalanchego `utils/formatting`.
 *
 * @example
 * ```ts
 * import { CheckedHex } from '@firn/codec'
 *
 * CheckedHex.encode(Uint8Array.of(0xab)) // '0xab6b463831'
 * CheckedHex.encode(Uint8Array.of(0xab), 'hexnc') // '0xab'
 * ```
 */
export function encode(bytes: Uint8Array, encoding: Encoding = 'hex'): `0x${string}` {
  return encoding === 'hexnc' ? Hex.encode(bytes) : `0x${hex(bytes)}${Checksum.hex(bytes)}`
}

/**
 * Decodes a string in the node's encoding. As in the node, an empty string decodes to no bytes in every
 * encoding.
 * @throws CodecError `CODEC_HEX` (not hex, or shorter than its checksum), `CODEC_CHECKSUM`
 * @example
 * ```ts
 * import { CheckedHex } from '@firn/codec'
 *
 * CheckedHex.decode('0xab', 'hexnc') // Uint8Array [171]
 * CheckedHex.decode(CheckedHex.encode(Uint8Array.of(1, 2))) // Uint8Array [1, 2]
 * ```
 */
export function decode(text: string, encoding: Encoding = 'hex'): Uint8Array {
  if (text === '') return new Uint8Array()
  const bytes = Hex.decode(text)
  if (encoding === 'hexnc') return bytes
  if (bytes.length < Checksum.LENGTH) {
    throw new CodecError(
      'CODEC_HEX',
      `expected hex of at least ${Checksum.LENGTH} bytes (the checksum), got ${bytes.length}`,
    )
  }
  const body = bytes.slice(0, -Checksum.LENGTH)
  if (!Checksum.matches(body, bytes.subarray(-Checksum.LENGTH))) {
    throw new CodecError('CODEC_CHECKSUM', `the checksum of ${quoted(text)} does not match its bytes`)
  }
  return body
}

/**
 * Parses the name of an encoding in a request, in any letter case. Also accepts `json`, although it does not
 * encode bytes as a string.
 * @throws CodecError `CODEC_VALUE`
 * @example
 * ```ts
 * import { CheckedHex } from '@firn/codec'
 *
 * CheckedHex.parseEncoding('HexNC') // 'hexnc'
 * ```
 */
export function parseEncoding(name: string): Encoding | 'json' {
  const lower = name.toLowerCase()
  if (lower === 'hex' || lower === 'hexc' || lower === 'hexnc' || lower === 'json') return lower
  throw new CodecError('CODEC_VALUE', `expected an encoding (hex, hexc, hexnc or json), got ${quoted(name)}`)
}
