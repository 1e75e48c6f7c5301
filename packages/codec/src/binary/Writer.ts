/** A cursor over bytes to be filled; the codec computes the exact size before it writes. */
export interface Writer {
  readonly bytes: Uint8Array
  readonly view: DataView
  offset: number
  /** Union types that are open on the way down: none may occur inside itself. */
  readonly open: unknown[]
}

/** A writer over `size` zero bytes. */
export function create(size: number): Writer {
  const bytes = new Uint8Array(size)
  return { bytes, view: new DataView(bytes.buffer), offset: 0, open: [] }
}

/** Moves over `count` bytes and returns the offset at which they begin. */
export function advance(writer: Writer, count: number): number {
  const start = writer.offset
  writer.offset = start + count
  return start
}
