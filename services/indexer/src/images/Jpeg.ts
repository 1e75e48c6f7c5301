import type { ByteReader } from './ByteReader.ts'
import type { Format } from './Format.ts'

const [START, END, SCAN, FILL] = [0xd8, 0xd9, 0xda, 0xff]
/** Markers of frames, which have the size: C0 to CF, except tables (C4, CC) and an extension (C8). */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
/** Zeros and restart markers within the data of a scan. */
const isInScan = (marker: number) => marker === 0 || (marker >= 0xd0 && marker <= 0xd7)

/** JPEG: segments with markers, of which one has the size. */
export const JPEG: Format = {
  isFormat: (bytes) => bytes.uint8(0) === 0xff && bytes.uint8(1) === START && bytes.uint8(2) === 0xff,
  measure(bytes) {
    let size: { readonly width: number; readonly height: number } | undefined
    for (let at = 2; bytes.uint8(at) === 0xff; ) {
      const marker = bytes.uint8(at + 1)
      if (marker === FILL) at++
      else if (marker === END) return size && { ...size, end: at + 2 }
      else {
        const length = bytes.uint16(at + 2)
        if (!(length >= 2)) return undefined
        if (isFrame(marker)) {
          // Decoders differ in which of several frames counts.
          if (size !== undefined) return undefined
          size = { height: bytes.uint16(at + 5), width: bytes.uint16(at + 7) }
        }
        at += 2 + length
        if (marker === SCAN) at = afterScan(bytes, at)
      }
    }
    return undefined
  },
}

/** Returns the position of the next marker that does not belong to the data of a scan. */
function afterScan(bytes: ByteReader, from: number): number {
  let at = from
  while (at < bytes.length && (bytes.uint8(at) !== 0xff || isInScan(bytes.uint8(at + 1)))) at++
  return at
}
