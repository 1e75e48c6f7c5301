import type { Image, ImageType } from '@firn/evm-store'
import { AVIF } from './Avif.ts'
import * as ByteReader from './ByteReader.ts'
import type { Format } from './Format.ts'
import { GIF } from './Gif.ts'
import { JPEG } from './Jpeg.ts'
import { PNG } from './Png.ts'
import { WEBP } from './Webp.ts'

const FORMATS: Readonly<Record<ImageType, Format>> = {
  'image/png': PNG,
  'image/jpeg': JPEG,
  'image/gif': GIF,
  'image/webp': WEBP,
  'image/avif': AVIF,
}

/** Largest width and height in pixels. */
const MOST_PIXELS_ALONG = 16_384
/** Largest number of pixels. A browser needs four bytes for each of them. */
const MOST_PIXELS = 32 * 1024 * 1024

/** Reason why bytes are not stored as an image. */
export type ImageFailure = 'svg' | 'image-format' | 'image-damaged' | 'image-size'

/**
 * Returns the image in bytes. The first bytes determine the format; neither a content type nor a file name counts. The
 * structure is checked up to the end of the image, and bytes after it are cut off. Pixels are not decoded. SVG is refused:
 * it can contain scripts, styles and references to other servers, and it would be only as harmless as each program that
 * shows it.
 */
export function read(bytes: Uint8Array): Image | { readonly failure: ImageFailure } {
  const reader = ByteReader.create(bytes)
  const found = Object.entries(FORMATS).find(([, { isFormat }]) => isFormat(reader))
  if (found === undefined) return { failure: isSvg(reader) ? 'svg' : 'image-format' }
  const [contentType, format] = found as [ImageType, Format]
  const extent = format.measure(reader)
  if (extent === undefined) return { failure: 'image-damaged' }
  const { width, height, end } = extent
  const fits = width <= MOST_PIXELS_ALONG && height <= MOST_PIXELS_ALONG && width * height <= MOST_PIXELS
  if (!fits || width === 0 || height === 0) return { failure: 'image-size' }
  return { contentType, width, height, bytes: bytes.subarray(0, end) }
}

const SVG_BYTES = 1_024

function isSvg(reader: ByteReader.ByteReader): boolean {
  return /<svg[\s>]/i.test(reader.text(0, SVG_BYTES))
}
