const DECODER = new TextDecoder('utf-8', { ignoreBOM: true })

/** Text that a contract gave: what is no UTF-8 is replaced, and U+0000 left out. The bytes as they came are in the database. */
export function textOf(bytes: Uint8Array | null | undefined): string | undefined {
  return bytes === null || bytes === undefined ? undefined : DECODER.decode(bytes).replaceAll('\u0000', '')
}
