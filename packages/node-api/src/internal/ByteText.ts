import { hash } from 'node:crypto'
import { CheckedHex } from '@firn/codec'
import type { Schema } from '@firn/rpc'
import { methodError } from '../Service.ts'

const CHECKSUM_LENGTH = 4

/**
 * Bytes in one of the node's encodings: hex digits with the prefix `0x`, and but for `hexnc` with a checksum.
 * @throws RpcError `RPC_REMOTE` `unsupported encoding in method`, for `json`
 */
export function encode(bytes: Uint8Array, encoding: Schema.Encoding): string {
  if (encoding === 'json') throw methodError('unsupported encoding in method')
  return CheckedHex.encode(bytes, encoding)
}

/** The bytes of a text in one of the node's encodings, or why it is none in the words of the node. Source: avalanchego `utils/formatting`. */
export function decode(text: string, encoding: Schema.Encoding): Uint8Array | string {
  if (text === '') return new Uint8Array(0)
  if (encoding === 'json') return 'unsupported encoding in method'
  if (!text.startsWith('0x')) return 'missing 0x prefix to hex encoding'
  const bytes = digits(Buffer.from(text.slice(2), 'utf8'))
  if (typeof bytes === 'string' || encoding === 'hexnc') return bytes
  return withoutChecksum(bytes)
}

/** What a checksum follows, or what is wrong with it in the words of the node. */
function withoutChecksum(bytes: Uint8Array): Uint8Array | string {
  const end = bytes.length - CHECKSUM_LENGTH
  if (end < 0) return 'input string is smaller than the checksum size'
  const body = bytes.subarray(0, end)
  const wanted = hash('sha256', body, 'buffer').subarray(-CHECKSUM_LENGTH)
  return wanted.equals(bytes.subarray(end)) ? body : 'invalid input checksum'
}

/** Go's decoder finds a wrong byte before it finds that one is missing. */
function digits(text: Buffer): Uint8Array | string {
  const wrong = text.findIndex((byte) => !/[0-9a-fA-F]/.test(String.fromCharCode(byte)))
  if (wrong >= 0) return `encoding/hex: invalid byte: ${unicode(text[wrong] as number)}`
  return text.length % 2 === 0
    ? Buffer.from(text.toString('latin1'), 'hex')
    : 'encoding/hex: odd length hex string'
}

/** A byte as Go's `%#U` shows the character with its number: by itself too where it is one to be seen. */
function unicode(byte: number): string {
  const character = String.fromCharCode(byte)
  const shown = /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(character) ? ` '${character}'` : ''
  return `U+${byte.toString(16).toUpperCase().padStart(4, '0')}${shown}`
}
