import { Cb58 } from '@firn/codec'
import { goQuote } from '@firn/http'

const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const NO_DIGIT = new RegExp(`[^${DIGITS}]`)

/**
 * Decodes a cb58 id to 32 bytes. Returns the node's error text if the id is invalid. Source: avalanchego
 * `utils/cb58`, mr-tron's base58.
 */
export function id(text: string): Uint8Array | string {
  const bytes = decode(text)
  if (typeof bytes === 'string' || bytes.length === 32) return bytes
  return `invalid hash length: expected 32 bytes but got ${bytes.length}`
}

function decode(text: string): Uint8Array | string {
  const problem = problemOf(text)
  if (problem !== undefined) return `base58 decoding error: ${problem}`
  try {
    return Cb58.decode(text)
  } catch {
    return wrongChecksum(text)
  }
}

function problemOf(text: string): string | undefined {
  if (text === '') return 'zero length string'
  const [character] = NO_DIGIT.exec(text) ?? []
  if (character === undefined) return undefined
  if (character.charCodeAt(0) > 127) return 'High-bit set on invalid digit'
  return `Invalid base58 digit (${quoted(character)})`
}

/** Formats a character as Go's `%q` does, with the escapes of a string but without quotes. */
function quoted(character: string): string {
  if (character === "'") return "'\\''"
  return character === '"' ? `'"'` : `'${goQuote(character).slice(1, -1)}'`
}

/** Base58 texts with more characters than this decode to at least 4 bytes, the length of a checksum. */
const FEW = 6

/**
 * Returns the error text for a text without a valid checksum. The decoded length is computed directly,
 * because the node has different error texts for a short text and for a wrong checksum.
 */
function wrongChecksum(text: string): string {
  if (text.length > FEW) return 'invalid input checksum'
  const zeros = text.length - text.replace(/^1+/, '').length
  let value = 0
  for (const digit of text) value = value * 58 + DIGITS.indexOf(digit)
  const length = zeros + (value === 0 ? 0 : Math.ceil(value.toString(16).length / 2))
  return length < 4 ? 'input string is smaller than the checksum size' : 'invalid input checksum'
}
