/** Returns the text of an array whose items have no blanks, commas or quotes. */
export function list(items: readonly (string | number | bigint)[]): string {
  return `{${items.join(',')}}`
}

/** Returns the text of an array of bytes. */
export function byteas(items: readonly (Uint8Array | null)[]): string {
  return list(items.map((item) => (item === null ? 'null' : `"\\\\x${Buffer.from(item).toString('hex')}"`)))
}

/** Returns bytes as a map key, one character per byte. */
export function keyOf({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('latin1')
}
