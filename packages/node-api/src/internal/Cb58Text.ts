import { Cb58 } from '@firn/codec'
import { goQuote } from './goJson.ts'

const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** The 32 bytes of an id's text, or why it is none in the words of the node. Source: avalanchego `utils/cb58`, base58 of mr-tron. */
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
  for (const character of text) {
    if ((character.codePointAt(0) as number) > 127) return 'High-bit set on invalid digit'
    if (!DIGITS.includes(character)) return `Invalid base58 digit (${quoted(character)})`
  }
  return undefined
}

/** Go's `%q` of a character: as of a text, but for the quotes. */
function quoted(character: string): string {
  if (character === "'") return "'\\''"
  return character === '"' ? `'"'` : `'${goQuote(character).slice(1, -1)}'`
}

/** Texts of so few digits may stand for less than a checksum. */
const FEW = 6

/** Base58 by hand, for how many bytes it would be: there are too few, or the last four are wrong. */
function wrongChecksum(text: string): string {
  if (text.length > FEW) return 'invalid input checksum'
  const zeros = text.length - text.replace(/^1+/, '').length
  let value = 0
  for (const digit of text) value = value * 58 + DIGITS.indexOf(digit)
  const length = zeros + (value === 0 ? 0 : Math.ceil(value.toString(16).length / 2))
  return length < 4 ? 'input string is smaller than the checksum size' : 'invalid input checksum'
}
