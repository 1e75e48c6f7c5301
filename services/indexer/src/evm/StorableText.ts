/**
 * Returns a text that every database can store and every JSON parser can read: U+0000, which PostgreSQL's
 * `text` cannot hold, and lone surrogates become U+FFFD. Text beyond `limit` UTF-16 code units is cut off,
 * never inside a surrogate pair.
 */
export function from(text: string, limit: number): string {
  const splitsPair = text.length > limit && /[\uD800-\uDBFF]/.test(text.charAt(limit - 1))
  return text
    .slice(0, splitsPair ? limit - 1 : limit)
    .toWellFormed()
    .replaceAll('\0', '\uFFFD')
}
