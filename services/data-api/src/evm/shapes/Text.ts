const DECODER = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Returns the text of a contract: invalid UTF-8 is replaced, and U+0000 removed. The database has the
 * original bytes.
 */
export function textOf(bytes: Uint8Array | null | undefined): string | undefined {
  return bytes === null || bytes === undefined ? undefined : DECODER.decode(bytes).replaceAll('\u0000', '')
}
