import { hash } from 'node:crypto'
import { CheckedHex } from '@firn/codec'
import type { Schema } from '@firn/rpc'
import { methodError } from '../Service.ts'

const CHECKSUM_LENGTH = 4

/**
 * Encodes bytes in one of the node's encodings: hex digits with the prefix `0x` and, except for `hexnc`, a
 * checksum.
 * @throws RpcError `RPC_REMOTE` `unsupported encoding in method`, for `json`
 */
export function encode(bytes: Uint8Array, encoding: Schema.Encoding): string {
  if (encoding === 'json') throw methodError('unsupported encoding in method')
  return CheckedHex.encode(bytes, encoding)
}

/**
 * Decodes a text in one of the node's encodings; returns the node's error text if it is invalid. Source:
 * avalanchego `utils/formatting`.
 */
export function decode(text: string, encoding: Schema.Encoding): Uint8Array | string {
  if (text === '') return new Uint8Array(0)
  if (encoding === 'json') return 'unsupported encoding in method'
  if (!text.startsWith('0x')) return 'missing 0x prefix to hex encoding'
  const bytes = fromDigits(text.slice(2))
  if (typeof bytes === 'string' || encoding === 'hexnc') return bytes
  return withoutChecksum(bytes)
}

/** Returns the bytes before the checksum, or the node's error text if the checksum is invalid. */
function withoutChecksum(bytes: Uint8Array): Uint8Array | string {
  const end = bytes.length - CHECKSUM_LENGTH
  if (end < 0) return 'input string is smaller than the checksum size'
  const body = bytes.subarray(0, end)
  const checksum = hash('sha256', body, 'buffer').subarray(-CHECKSUM_LENGTH)
  return checksum.equals(bytes.subarray(end)) ? body : 'invalid input checksum'
}

/** Decodes hex digits. Go's decoder reports an invalid byte of the UTF-8 text before it reports an odd length. */
function fromDigits(digits: string): Uint8Array | string {
  const wrong = digits.search(/[^0-9a-fA-F]/)
  if (wrong >= 0) {
    const [byte] = Buffer.from(digits.slice(wrong, wrong + 2), 'utf8')
    return `encoding/hex: invalid byte: ${unicode(byte as number)}`
  }
  return digits.length % 2 === 0 ? Buffer.from(digits, 'hex') : 'encoding/hex: odd length hex string'
}

/** Formats a byte as Go's `%#U` does: the code point, followed by the character if it is printable. */
function unicode(byte: number): string {
  const character = String.fromCharCode(byte)
  const shown = /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(character) ? ` '${character}'` : ''
  return `U+${byte.toString(16).toUpperCase().padStart(4, '0')}${shown}`
}
