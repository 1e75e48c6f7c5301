/** Values of the types that the tables have, from PostgreSQL's text: the same with both drivers. */
export const PARSERS: { readonly [oid: number]: (text: string) => unknown } = {
  17: bytea,
  20: BigInt,
  // Aggregates of integers are of this type too.
  1700: BigInt,
  1001: (text) => list(text).map(bytea),
  1016: (text) => list(text).map(BigInt),
  1231: (text) => list(text).map(BigInt),
}

/** Hex behind `\x`, as the server writes bytes. */
function bytea(text: string): Uint8Array {
  const { buffer, byteOffset, length } = Buffer.from(text.slice(2), 'hex')
  return new Uint8Array(buffer, byteOffset, length)
}

/** The items of an array of one dimension without nulls, whose texts have neither commas nor quotes of their own. */
function list(text: string): string[] {
  if (text === '{}') return []
  return text
    .slice(1, -1)
    .split(',')
    .map((item) => (item.startsWith('"') ? item.slice(1, -1).replaceAll('\\\\', '\\') : item))
}
