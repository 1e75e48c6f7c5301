/** An array's text, of items without blanks, commas or quotes. */
export function list(items: readonly (string | number | bigint)[]): string {
  return `{${items.join(',')}}`
}

/** The text of an array of bytes. */
export function byteas(items: readonly (Uint8Array | null)[]): string {
  return list(items.map((item) => (item === null ? 'null' : `"\\\\x${Buffer.from(item).toString('hex')}"`)))
}

/** Bytes as a key of a map: a character for each. */
export function keyOf({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('latin1')
}
