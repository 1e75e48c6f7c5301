import { CodecError } from './CodecError.ts'
import { excerpt } from './internal/excerpt.ts'

/** Longest bech32 text, in characters (BIP 173). */
export const MAX_TEXT_LENGTH = 90

const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const CHECKSUM_LENGTH = 6
/** What the checksum comes to in bech32 (BIP 173) and in bech32m (BIP 350). */
const BECH32 = 1
const BECH32M = 0x2bc830a3
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]

/** A human-readable part and the bytes that follow it. */
export interface Decoded {
  readonly hrp: string
  readonly payload: Uint8Array
}

/**
 * Bech32 text of a human-readable part and bytes, lower case.
 * @throws CodecError `CODEC_BECH32`: the human-readable part is empty or not printable ASCII
 */
export function encode(hrp: string, payload: Uint8Array): string {
  if (hrp === '' || !isPrintable(hrp)) {
    throw new CodecError(
      'CODEC_BECH32',
      `expected a human-readable part of printable ASCII, got ${excerpt(hrp)}`,
    )
  }
  const prefix = hrp.toLowerCase()
  const words = [...toWords(payload), 0, 0, 0, 0, 0, 0]
  const sum = polymod(prefix, words) ^ BECH32
  for (let i = 1; i <= CHECKSUM_LENGTH; i++) words[words.length - i] = (sum >>> (5 * (i - 1))) & 31
  let text = `${prefix}1`
  for (const word of words) text += ALPHABET[word]
  return text
}

/**
 * The parts of a bech32 text, by the node's lenient rules: a bech32m checksum passes too, and the last group of bits is
 * padded to a byte, so that a payload whose bits are no multiple of 5 comes back one byte longer.
 * Source: avalanchego `utils/formatting/address`.
 * @throws CodecError `CODEC_BECH32`
 */
export function decode(text: string): Decoded {
  const decoded = text.length <= MAX_TEXT_LENGTH && isPrintable(text) ? parse(text) : undefined
  if (decoded === undefined) {
    throw new CodecError(
      'CODEC_BECH32',
      `expected a bech32 text of at most ${MAX_TEXT_LENGTH} characters with a right checksum, got ${excerpt(text)}`,
    )
  }
  return decoded
}

function parse(text: string): Decoded | undefined {
  const lower = text.toLowerCase()
  const separator = lower.lastIndexOf('1')
  const end = lower.length - CHECKSUM_LENGTH
  const isOneCase = text === lower || text === text.toUpperCase()
  if (!isOneCase || separator < 1 || end <= separator) return undefined
  const hrp = lower.slice(0, separator)
  const words = Array.from(lower.slice(separator + 1), (character) => ALPHABET.indexOf(character))
  const sum = polymod(hrp, words)
  if (words.includes(-1) || (sum !== BECH32 && sum !== BECH32M)) return undefined
  return { hrp, payload: padToBytes(words.slice(0, -CHECKSUM_LENGTH)) }
}

/** What the checksum's polynomial leaves of a human-readable part (its high bits, a zero, its low bits) and of words. */
function polymod(hrp: string, words: readonly number[]): number {
  let sum = 1
  for (let i = 0; i < hrp.length; i++) sum = step(sum) ^ (hrp.charCodeAt(i) >> 5)
  sum = step(sum)
  for (let i = 0; i < hrp.length; i++) sum = step(sum) ^ (hrp.charCodeAt(i) & 31)
  for (const word of words) sum = step(sum) ^ word
  return sum
}

function step(sum: number): number {
  let next = (sum & 0x1ff_ffff) << 5
  const top = sum >>> 25
  for (let i = 0; i < 5; i++) if ((top >>> i) & 1) next ^= GENERATOR[i] as number
  return next
}

function isPrintable(text: string): boolean {
  return /^[\x21-\x7e]*$/.test(text)
}

/** Groups of 5 bits, the last one filled up with zeros. */
function toWords(bytes: Uint8Array): number[] {
  const words: number[] = []
  let [bits, count] = [0, 0]
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0xfff
    for (count += 8; count >= 5; ) {
      count -= 5
      words.push((bits >> count) & 31)
    }
  }
  if (count > 0) words.push((bits << (5 - count)) & 31)
  return words
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
