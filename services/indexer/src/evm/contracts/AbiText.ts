import * as StorableText from './StorableText.ts'

const WORD_BYTES = 32
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Decodes the single `string` or `bytes` value that an `eth_call` returned (`name()`, `symbol()`,
 * `tokenURI(uint256)`, …), without converting it to text. An answer of exactly one word is the `bytes32` of
 * an old contract and is returned without trailing zeros. Returns `undefined` if the answer is empty, or if
 * its offset or length exceeds its size.
 */
export function decode(answer: Uint8Array): Uint8Array | undefined {
  if (answer.length === WORD_BYTES) return answer.subarray(0, answer.findLastIndex((byte) => byte !== 0) + 1)
  const offset = lengthAt(answer, 0)
  if (offset === undefined) return undefined
  const length = lengthAt(answer, offset)
  const begin = offset + WORD_BYTES
  return length === undefined || length > answer.length - begin
    ? undefined
    : answer.subarray(begin, begin + length)
}

/**
 * Converts bytes to text of at most `limit` UTF-16 code units. Invalid UTF-8 and U+0000 become U+FFFD. Only
 * the returned part is decoded, regardless of the input's length.
 */
export function toText(bytes: Uint8Array, limit: number): string {
  // A code unit takes at most three bytes. Four more bytes complete a character that crosses the limit.
  return StorableText.from(utf8.decode(bytes.subarray(0, limit * 3 + 4)), limit)
}

/** Returns the word at offset `at` as a number; undefined if the number exceeds the size of the answer. */
function lengthAt(answer: Uint8Array, at: number): number | undefined {
  const word = answer.subarray(at, at + WORD_BYTES)
  if (word.length < WORD_BYTES || word.subarray(0, WORD_BYTES - 4).some((byte) => byte !== 0))
    return undefined
  const value = new DataView(word.buffer, word.byteOffset + WORD_BYTES - 4, 4).getUint32(0)
  return value <= answer.length ? value : undefined
}
