/** Reads numbers and texts at positions of bytes. A position outside of the bytes gives `NaN`, or a shorter text. */
export interface ByteReader {
  readonly length: number
  readonly uint8: (at: number) => number
  readonly uint16: (at: number) => number
  readonly uint32: (at: number) => number
  /** The same numbers with the least significant byte first. */
  readonly uint16le: (at: number) => number
  readonly uint24le: (at: number) => number
  readonly uint32le: (at: number) => number
  /** The bytes as Latin-1. */
  readonly text: (at: number, length: number) => string
}

/** Returns a reader of bytes. Comparisons with `NaN` are false, so a check of a number also checks that it is there. */
export function create(bytes: Uint8Array): ByteReader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const within = (size: number, read: (at: number) => number) => (at: number) =>
    at >= 0 && at + size <= bytes.length ? read(at) : Number.NaN
  return {
    length: bytes.length,
    uint8: within(1, (at) => view.getUint8(at)),
    uint16: within(2, (at) => view.getUint16(at)),
    uint32: within(4, (at) => view.getUint32(at)),
    uint16le: within(2, (at) => view.getUint16(at, true)),
    uint24le: within(3, (at) => view.getUint16(at, true) | (view.getUint8(at + 2) << 16)),
    uint32le: within(4, (at) => view.getUint32(at, true)),
    text: (at, length) => String.fromCharCode(...bytes.subarray(at, at + length)),
  }
}
