import type { ByteReader } from './ByteReader.ts'
import type { Extent, Format } from './Format.ts'

/** Boxes that contain the sizes of the items of an image, with the number of bytes before the first inner box. */
const CONTAINERS: Readonly<Record<string, number>> = { meta: 4, iprp: 0, ipco: 0 }
const MOST_DEPTH = 4
const BRANDS = /avi[fs]/
const MOST_BRAND_BYTES = 256

/** AVIF: boxes of ISO base media files. The sizes of the items and of the tiles of a grid are in boxes `ispe`. */
export const AVIF: Format = {
  isFormat: (bytes) =>
    bytes.text(4, 4) === 'ftyp' &&
    BRANDS.test(bytes.text(8, Math.min(Math.max(bytes.uint32(0) - 8, 0), MOST_BRAND_BYTES))),
  measure: (bytes) => walk(bytes, 0, bytes.length, MOST_DEPTH),
}

/** Returns the largest size in boxes; undefined if a box leaves the range, or if containers are nested too deeply. */
function walk(bytes: ByteReader, from: number, end: number, depth: number): Extent | undefined {
  if (depth === 0) return undefined
  let [width, height] = [0, 0]
  for (let at = from; at < end; ) {
    const length = bytes.uint32(at)
    // The lengths 0 and 1 are for the last box, and for sizes above 4 GB.
    const next = length === 0 ? end : at + length
    if (!(next - at >= 8 && next <= end)) return undefined
    const type = bytes.text(at + 4, 4)
    const skipped = CONTAINERS[type]
    // Sequences of images have tracks, with sizes that this walk does not read.
    if (type === 'moov') return undefined
    const size =
      type === 'ispe'
        ? { width: bytes.uint32(at + 12), height: bytes.uint32(at + 16) }
        : skipped !== undefined
          ? walk(bytes, at + 8 + skipped, next, depth - 1)
          : { width: 0, height: 0 }
    if (size === undefined) return undefined
    width = Math.max(width, size.width)
    height = Math.max(height, size.height)
    at = next
  }
  return { width, height, end }
}
