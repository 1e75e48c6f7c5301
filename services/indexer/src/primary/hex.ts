import { Bytes, CheckedHex, Hex, Id } from '@firn/codec'

const CHECKSUM_SIZE = 4

/**
 * Decodes a text as `CheckedHex.decode` does, but with the runtime's decoder, which is ten times as fast for
 * containers.
 * @throws CodecError the errors of `CheckedHex.decode`
 */
export function decodeChecked(text: string): Uint8Array {
  const all = native(text)
  const end = (all?.length ?? 0) - CHECKSUM_SIZE
  if (all === undefined || end < 0) return CheckedHex.decode(text)
  const bytes = all.subarray(0, end)
  const isSound = Bytes.equals(all.subarray(end), Id.hash(bytes).subarray(-CHECKSUM_SIZE))
  return isSound ? bytes : CheckedHex.decode(text)
}

/**
 * Decodes a text as `Hex.decode` does, but with the runtime's decoder.
 * @throws CodecError the errors of `Hex.decode`
 */
export function decode(text: string): Uint8Array {
  return native(text) ?? Hex.decode(text)
}

/** Decodes hex with the runtime's decoder. Returns undefined if the strict decoder must check the text. */
function native(text: string): Uint8Array | undefined {
  if (!text.startsWith('0x') || text.length % 2 !== 0) return undefined
  // The runtime's decoder stops at an invalid digit without an error.
  const bytes = Buffer.from(text.slice(2), 'hex')
  if (bytes.length * 2 !== text.length - 2) return undefined
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
}
