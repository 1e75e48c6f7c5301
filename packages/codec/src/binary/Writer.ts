/** A cursor over an output buffer. The codec computes the exact size before it writes. */
export interface Writer {
  readonly bytes: Uint8Array
  /** View for writing 64-bit numbers, created when the first one is written. */
  view: DataView | undefined
  offset: number
  /** Union types that enclose the current position. None of them may be nested in itself. */
  readonly open: unknown[]
}

/** Creates a writer over `size` zero bytes. */
export function create(size: number): Writer {
  return { bytes: new Uint8Array(size), view: undefined, offset: 0, open: [] }
}

/** Advances by `count` bytes and returns the offset before advancing. */
export function advance(writer: Writer, count: number): number {
  const start = writer.offset
  writer.offset = start + count
  return start
}

/** Writes the low 8 bits of `value`. */
export function writeU8(writer: Writer, value: number): void {
  writer.bytes[advance(writer, 1)] = value
}

/** Writes a big-endian u16. */
export function writeU16(writer: Writer, value: number): void {
  const at = advance(writer, 2)
  writer.bytes[at] = value >>> 8
  writer.bytes[at + 1] = value
}

/** Writes a big-endian u32. */
export function writeU32(writer: Writer, value: number): void {
  const at = advance(writer, 4)
  const { bytes } = writer
  bytes[at] = value >>> 24
  bytes[at + 1] = value >>> 16
  bytes[at + 2] = value >>> 8
  bytes[at + 3] = value
}

/** Returns the DataView over the writer's bytes, and creates it at the first call. */
export function viewOf(writer: Writer): DataView {
  writer.view ??= new DataView(writer.bytes.buffer)
  return writer.view
}
