import type { ByteReader } from './ByteReader.ts'
import type { Format } from './Format.ts'

/** WebP: chunks in a RIFF container. The size is the canvas's or the largest frame's. */
export const WEBP: Format = {
  isFormat: (bytes) => bytes.text(0, 4) === 'RIFF' && bytes.text(8, 4) === 'WEBP',
  measure(bytes) {
    const end = 8 + bytes.uint32le(4)
    if (!(end <= bytes.length)) return undefined
    let [width, height] = [0, 0]
    for (let at = 12; at + 8 <= end; ) {
      const size = sizeOf(bytes, bytes.text(at, 4), at + 8)
      if (size !== undefined) {
        width = Math.max(width, size.width)
        height = Math.max(height, size.height)
      }
      const length = bytes.uint32le(at + 4)
      at += 8 + length + (length % 2)
      if (at > end) return undefined
    }
    return { width, height, end }
  },
}

/** Returns the size in a chunk; undefined if the chunk has none. */
function sizeOf(bytes: ByteReader, type: string, at: number) {
  switch (type) {
    case 'VP8X':
      return { width: bytes.uint24le(at + 4) + 1, height: bytes.uint24le(at + 7) + 1 }
    case 'ANMF':
      return {
        width: 2 * bytes.uint24le(at) + bytes.uint24le(at + 6) + 1,
        height: 2 * bytes.uint24le(at + 3) + bytes.uint24le(at + 9) + 1,
      }
    case 'VP8 ':
      return { width: bytes.uint16le(at + 6) & 0x3fff, height: bytes.uint16le(at + 8) & 0x3fff }
    case 'VP8L': {
      const packed = bytes.uint32le(at + 1)
      return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 }
    }
    default:
      return undefined
  }
}
