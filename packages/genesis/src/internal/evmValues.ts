import { Hex } from '@firn/codec'
import * as GoJson from './GoJson.ts'

/**
 * Reads a number member as go-ethereum does in a genesis. It may be a JSON number, decimal text, hexadecimal
 * text with the prefix `0x`, or an empty string for 0.
 */
export function quantity(from: GoJson.Members, name: string, bits: 64 | 256): bigint | undefined {
  const value = from.get(name)
  return value === undefined ? undefined : readQuantity(value, GoJson.at(from.path, name), bits)
}

/**
 * Converts a JSON value to a number, in the same forms as {@link quantity}.
 * @throws GenesisError `GENESIS_JSON`
 */
export function readQuantity(value: GoJson.GoJson, path: string, bits: 64 | 256): bigint {
  const number = typeof value === 'string' ? parseQuantity(value) : value
  if (typeof number === 'bigint' && BigInt.asUintN(bits, number) === number) return number
  throw GoJson.malformed(
    path,
    `a number of at most ${bits} bits, in decimal or in hexadecimal with the prefix 0x`,
    value,
  )
}

/** Maximum length of a number in text form. A number of 256 bits has at most 78 digits. */
const MAX_DIGITS = 100

function parseQuantity(text: string): bigint | undefined {
  if (text === '') return 0n
  if (text.length > MAX_DIGITS || !/^(0[xX][0-9a-fA-F]+|[0-9]+)$/.test(text)) return undefined
  return BigInt(text.replace(/^0X/, '0x'))
}

/** Reads hexadecimal bytes of any length with the prefix `0x`. */
export function bytes(from: GoJson.Members, name: string): Uint8Array | undefined {
  const value = from.get(name)
  if (value === undefined) return undefined
  if (value === '') return new Uint8Array(0)
  return readHex(value, GoJson.at(from.path, name), undefined, true)
}

/** Reads hexadecimal bytes of a fixed length with the prefix `0x`, such as a hash or an address. */
export function fixed(from: GoJson.Members, name: string, length: number): Uint8Array | undefined {
  const value = from.get(name)
  return value === undefined ? undefined : readHex(value, GoJson.at(from.path, name), length, true)
}

/**
 * Decodes hexadecimal text. The prefix `0x` may be missing unless `needsPrefix` is set.
 * @throws GenesisError `GENESIS_JSON`
 */
export function readHex(
  value: GoJson.GoJson,
  path: string,
  length: number | undefined,
  needsPrefix: boolean,
): Uint8Array {
  const digits = typeof value === 'string' ? digitsOf(value, needsPrefix) : undefined
  const decoded =
    digits !== undefined && /^([0-9a-fA-F]{2})*$/.test(digits) ? Hex.decodeBare(digits) : undefined
  if (decoded !== undefined && (length === undefined || decoded.length === length)) return decoded
  throw GoJson.malformed(
    path,
    length === undefined
      ? 'hexadecimal bytes with the prefix 0x'
      : `${length} hexadecimal bytes with the prefix 0x`,
    value,
  )
}

function digitsOf(text: string, needsPrefix: boolean): string | undefined {
  if (/^0[xX]/.test(text)) return text.slice(2)
  return needsPrefix ? undefined : text
}

/**
 * Reads a storage slot or value as hexadecimal text of at most 32 bytes. The prefix `0x` is optional, and the
 * value is padded with zeros on the left.
 */
export function readWord(value: GoJson.GoJson, path: string): Uint8Array {
  const digits = typeof value === 'string' ? value.replace(/^0x/, '') : undefined
  if (digits === undefined || digits.length > 64)
    throw GoJson.malformed(path, 'at most 32 hexadecimal bytes', value)
  const word = new Uint8Array(32)
  const decoded = readHex(digits, path, undefined, false)
  word.set(decoded, 32 - decoded.length)
  return word
}
