import type { ByteReader } from './ByteReader.ts'

/** The largest size in pixels that an image declares for any of its parts, and the position after its last byte. */
export interface Extent {
  readonly width: number
  readonly height: number
  readonly end: number
}

/** An image format: how its bytes begin, and how its size is read. */
export interface Format {
  readonly isFormat: (bytes: ByteReader) => boolean
  /**
   * Walks over the structure of an image, without decoding pixels. Returns undefined if it is damaged, for example if a
   * length leads behind the last byte.
   */
  readonly measure: (bytes: ByteReader) => Extent | undefined
}
