import { Bech32 } from '@firn/codec'

const CHARSET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const CHECKSUM_LENGTH = 6
const CHECKSUM_CONSTANTS = { bech32: 1, bech32m: 0x2bc830a3 }

/**
 * Decodes a bech32 string. Returns the error text of the node's library if the string is invalid. Source:
 * btcd `bech32`, v1.
 */
export function decode(text: string): Bech32.Decoded | string {
  const problem = problemOf(text)
  return problem ?? Bech32.decode(text)
}

function problemOf(text: string): string | undefined {
  const bytes = Buffer.from(text, 'utf8')
  if (bytes.length < 8 || bytes.length > Bech32.MAX_TEXT_LENGTH)
    return `invalid bech32 string length ${bytes.length}`
  const wrong = wrongCharacter(bytes)
  if (wrong !== undefined) return wrong
  const lower = text.toLowerCase()
  const one = lower.lastIndexOf('1')
  if (one < 1 || one + CHECKSUM_LENGTH + 1 > lower.length) return `invalid separator index ${one}`
  const words = [...lower.slice(one + 1)].map((character) => CHARSET.indexOf(character))
  const outside = words.indexOf(-1)
  if (outside >= 0) return `invalid character not part of charset: ${lower.charCodeAt(one + 1 + outside)}`
  return wrongChecksum(lower, one, words)
}

/** Returns the error text for the first unprintable byte or for mixed case. */
function wrongCharacter(bytes: Uint8Array): string | undefined {
  let hasLower = false
  let hasUpper = false
  for (const byte of bytes) {
    if (byte < 33 || byte > 126) return `invalid character in string: '${String.fromCharCode(byte)}'`
    hasLower ||= byte >= 97 && byte <= 122
    hasUpper ||= byte >= 65 && byte <= 90
    if (hasLower && hasUpper) return 'string not all lowercase or all uppercase'
  }
  return undefined
}

/**
 * Returns the error text for an invalid checksum. The text repeats a bug of the node's library, which writes
 * both checksums into one buffer: the second checksum follows a copy of the first.
 */
function wrongChecksum(lower: string, one: number, words: readonly number[]): string | undefined {
  const { bech32, bech32m } = CHECKSUM_CONSTANTS
  const hrp = lower.slice(0, one)
  const residue = polymod([...expand(hrp), ...words])
  if (residue === bech32 || residue === bech32m) return undefined
  const payload = words.slice(0, -CHECKSUM_LENGTH)
  const first = checksum(hrp, payload, bech32)
  const second = checksum(hrp, payload, bech32m)
  return `invalid checksum (expected (bech32=${first}, bech32m=${first}${second}), got ${lower.slice(-CHECKSUM_LENGTH)})`
}

function checksum(hrp: string, payload: readonly number[], constant: number): string {
  const residue = polymod([...expand(hrp), ...payload, 0, 0, 0, 0, 0, 0]) ^ constant
  return [25, 20, 15, 10, 5, 0].map((shift) => CHARSET[(residue >>> shift) & 31]).join('')
}

function expand(hrp: string): number[] {
  const codes = [...hrp].map((character) => character.charCodeAt(0))
  return [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)]
}

/** The checksum polynomial of BIP 173. */
function polymod(values: readonly number[]): number {
  const generator = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]
  let residue = 1
  for (const value of values) {
    const top = residue >>> 25
    residue = ((residue & 0x1ffffff) << 5) ^ value
    for (const [bit, term] of generator.entries()) if ((top >> bit) & 1) residue ^= term
  }
  return residue >>> 0
}
