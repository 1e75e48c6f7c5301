/** A cursor over bytes to be filled; the codec computes the exact size before it writes. */
export interface Writer {
  readonly bytes: Uint8Array
  /** Made at the first 64-bit number. */
  view: DataView | undefined
  offset: number
  /** Union types that are open on the way down: none may occur inside itself. */
  readonly open: unknown[]
}

/** A writer over `size` zero bytes. */
export function create(size: number): Writer {
  return { bytes: new Uint8Array(size), view: undefined, offset: 0, open: [] }
}

/** Moves over `count` bytes and returns the offset at which they begin. */
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

/** A DataView over the writer's bytes. */
export function viewOf(writer: Writer): DataView {
  writer.view ??= new DataView(writer.bytes.buffer)
  return writer.view
}
