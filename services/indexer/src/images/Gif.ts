import type { ByteReader } from './ByteReader.ts'
import type { Format } from './Format.ts'

const EXTENSION = 0x21
const FRAME = 0x2c
const TRAILER = 0x3b

/** GIF: a screen and frames. Some decoders enlarge the screen to a larger frame, so all frames count. */
export const GIF: Format = {
  isFormat: (bytes) => /^GIF8[79]a$/.test(bytes.text(0, 6)),
  measure(bytes) {
    let [width, height, frames] = [bytes.uint16le(6), bytes.uint16le(8), 0]
    let at = 13 + paletteBytes(bytes.uint8(10))
    while (at < bytes.length) {
      const kind = bytes.uint8(at)
      if (kind === TRAILER) return frames === 0 ? undefined : { width, height, end: at + 1 }
      if (kind === EXTENSION) at = afterBlocks(bytes, at + 2)
      else if (kind === FRAME) {
        frames++
        width = Math.max(width, bytes.uint16le(at + 1) + bytes.uint16le(at + 5))
        height = Math.max(height, bytes.uint16le(at + 3) + bytes.uint16le(at + 7))
        // A byte with the code size precedes the blocks of a frame.
        at = afterBlocks(bytes, at + 11 + paletteBytes(bytes.uint8(at + 9)))
      } else return undefined
    }
    return undefined
  },
}

/** Returns the size of the palette that a byte with flags announces. */
function paletteBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1)
}

/** Returns the position after a list of blocks, which ends with an empty one. */
function afterBlocks(bytes: ByteReader, from: number): number {
  let at = from
  while (bytes.uint8(at) > 0) at += 1 + bytes.uint8(at)
  return at + 1
}
