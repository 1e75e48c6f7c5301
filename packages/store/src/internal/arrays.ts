/** Formats an SQL array whose items contain no spaces, commas or quotes. */
export function list(items: readonly (string | number | bigint)[]): string {
  return `{${items.join(',')}}`
}

/** Formats an SQL array of bytes. */
export function byteas(items: readonly (Uint8Array | null)[]): string {
  return list(items.map((item) => (item === null ? 'null' : `"\\\\x${Buffer.from(item).toString('hex')}"`)))
}

/** Returns the bytes as a map key with one character per byte. */
export function keyOf({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('latin1')
}
