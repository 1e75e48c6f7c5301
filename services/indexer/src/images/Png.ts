import type { Format } from './Format.ts'

const SIGNATURE = '\x89PNG\r\n\x1a\n'
/** Size of a chunk without its content: length, type and checksum. */
const CHUNK_BYTES = 12

/** PNG: chunks from IHDR, which has the size, to IEND. Animation frames (APNG) cannot be larger than IHDR says. */
export const PNG: Format = {
  isFormat: (bytes) => bytes.text(0, 8) === SIGNATURE,
  measure(bytes) {
    if (bytes.text(12, 4) !== 'IHDR' || bytes.uint32(8) !== 13) return undefined
    const size = { width: bytes.uint32(16), height: bytes.uint32(20) }
    for (let at = 8; at + CHUNK_BYTES <= bytes.length; ) {
      const type = bytes.text(at + 4, 4)
      // Decoders differ in which of several headers counts.
      if (type === 'IHDR' && at > 8) return undefined
      at += CHUNK_BYTES + bytes.uint32(at)
      if (type === 'IEND') return at <= bytes.length ? { ...size, end: at } : undefined
    }
    return undefined
  },
}
