/**
 * Text of strangers as every database and JSON reader takes it: U+0000, which PostgreSQL's `text` can't hold, and lone
 * surrogates become U+FFFD; what is beyond `limit` UTF-16 code units is cut off, never inside a pair.
 */
export function from(text: string, limit: number): string {
  const splitsPair = text.length > limit && /[\uD800-\uDBFF]/.test(text.charAt(limit - 1))
  return text
    .slice(0, splitsPair ? limit - 1 : limit)
    .toWellFormed()
    .replaceAll('\0', '\uFFFD')
}
