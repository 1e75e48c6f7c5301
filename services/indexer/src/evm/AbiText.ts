import * as StorableText from './StorableText.ts'

const WORD_BYTES = 32
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * The bytes of the one `string` or `bytes` that an `eth_call` returned (`name()`, `symbol()`, `tokenURI(uint256)`, …), as
 * the contract has them. An answer of exactly one word is a `bytes32` of old contracts: its bytes before the zeros at the
 * end. `undefined` where the answer is neither: no bytes at all, an offset or a length that leads out of it.
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
 * The text of such bytes, at most `limit` UTF-16 code units of it: what is no UTF-8, and U+0000, become U+FFFD.
 * Never decodes more than it returns, however long the bytes are.
 */
export function toText(bytes: Uint8Array, limit: number): string {
  // No code unit takes more than three bytes, and the four of one more character end a cut one.
  return StorableText.from(utf8.decode(bytes.subarray(0, limit * 3 + 4)), limit)
}

/** The word there as a number, when it is not more than the bytes there are. */
function lengthAt(answer: Uint8Array, at: number): number | undefined {
  const word = answer.subarray(at, at + WORD_BYTES)
  if (word.length < WORD_BYTES || word.subarray(0, WORD_BYTES - 4).some((byte) => byte !== 0))
    return undefined
  const value = new DataView(word.buffer, word.byteOffset + WORD_BYTES - 4, 4).getUint32(0)
  return value <= answer.length ? value : undefined
}
