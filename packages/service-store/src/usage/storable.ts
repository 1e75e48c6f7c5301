/**
 * Returns a text that a table can store, with at most `most` characters. PostgreSQL accepts neither NUL characters nor
 * lone surrogates.
 */
export function storable(text: string, most: number): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed().slice(0, most).toWellFormed()
}

/** Maximum number of milliseconds that the tables store. */
export const MAX_MILLISECONDS = 2_147_483_647
