const { latin1Slice, hexSlice } = Buffer.prototype as Buffer & {
  latin1Slice(this: Uint8Array, start: number, end: number): string
  hexSlice(this: Uint8Array, start: number, end: number): string
}

/** Formats an SQL array whose items contain no spaces, commas or quotes. */
export function list(items: readonly (string | number | bigint)[]): string {
  return `{${items.join(',')}}`
}

/** Formats an SQL array of bytes. */
export function byteas(items: readonly (Uint8Array | null)[]): string {
  return list(items.map((item) => (item === null ? 'null' : `"\\\\x${hexSlice.call(item, 0, item.length)}"`)))
}

/** Returns the bytes as a map key with one character per byte. */
export function keyOf(bytes: Uint8Array): string {
  return latin1Slice.call(bytes, 0, bytes.length)
}
