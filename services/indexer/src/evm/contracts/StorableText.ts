/**
 * Returns a text that every database can store and every JSON parser can read. Lone surrogates and U+0000,
 * which PostgreSQL's `text` cannot contain, become U+FFFD. Text beyond `limit` UTF-16 code units is cut off,
 * but never inside a surrogate pair.
 */
export function from(text: string, limit: number): string {
  const splitsPair = text.length > limit && /[\uD800-\uDBFF]/.test(text.charAt(limit - 1))
  return text
    .slice(0, splitsPair ? limit - 1 : limit)
    .toWellFormed()
    .replaceAll('\0', '\uFFFD')
}
