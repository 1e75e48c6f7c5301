const DECODER = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Decodes a text that a contract returned. Invalid UTF-8 is replaced, and U+0000 is removed. The database
 * keeps the original bytes.
 */
export function textOf(bytes: Uint8Array | null | undefined): string | undefined {
  return bytes === null || bytes === undefined ? undefined : DECODER.decode(bytes).replaceAll('\u0000', '')
}
