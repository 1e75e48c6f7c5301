/** Parsers of PostgreSQL's text format for the column types of the tables. Both drivers use them. */
export const PARSERS: { readonly [oid: number]: (text: string) => unknown } = {
  17: bytea,
  20: BigInt,
  // Aggregates of integers also have this type.
  1700: BigInt,
  1001: (text) => list(text).map(bytea),
  1016: bigints,
  1231: bigints,
}

/** Parses hex after the prefix `\x`, which is how the server formats bytes. */
function bytea(text: string): Uint8Array {
  const { buffer, byteOffset, length } = Buffer.from(text.slice(2), 'hex')
  return new Uint8Array(buffer, byteOffset, length)
}

function bigints(text: string): (bigint | null)[] {
  return list(text).map((item) => (item === 'NULL' ? null : BigInt(item)))
}

/** Parses a one-dimensional array, whose items contain neither commas nor quotes. */
function list(text: string): string[] {
  if (text === '{}') return []
  return text
    .slice(1, -1)
    .split(',')
    .map((item) => (item.startsWith('"') ? item.slice(1, -1).replaceAll('\\\\', '\\') : item))
}
