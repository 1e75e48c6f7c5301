import * as Json from './Json.ts'

const SIZE = 1_000_000

const repeat = (part: string, end = '1') => `[${part.repeat(SIZE / part.length)}${end}]`
const nested = (open: string, close: string, depth = SIZE / open.length / 2) =>
  `${open.repeat(depth)}1${close.repeat(depth)}`

/** Bodies of about a megabyte, each of them dear in another way. */
const BODIES: Readonly<Record<string, string>> = {
  'one long string': `"${'a'.repeat(SIZE)}"`,
  'one long string beyond Latin-1': `"${'漢'.repeat(SIZE / 3)}"`,
  'one string of escapes': `"${'\\n'.repeat(SIZE / 2)}"`,
  'one string of hex escapes': `"${'\\u0041'.repeat(SIZE / 6)}"`,
  'short strings': repeat('"abcdefgh",'),
  'empty strings': repeat('"",'),
  'small numbers': repeat('1,'),
  floats: repeat('0.1234567890123456,'),
  'one number of a million digits': `${'9'.repeat(SIZE)}.5`,
  literals: repeat('true,'),
  'different keys': `{${Array.from({ length: SIZE / 12 }, (_, i) => `"k${i}":1`).join()}}`,
  'small objects': repeat('{"a":1},'),
  records: repeat('{"id":"0x1234567890","height":"12345","n":17},'),
  'nested arrays': nested('[', ']'),
  'nested objects': nested('{"":', '}'),
  'small numbers and one integer beyond 2^53': repeat('1,', '18446744073709551615'),
  'integers beyond 2^53': repeat('18446744073709551615,'),
}

/** Without bounds, so that everything is parsed. */
const UNBOUNDED = Object.fromEntries(Object.keys(Json.LIMITS).map((bound) => [bound, SIZE * 2]))

/** Times of a megabyte from bytes, beside JSON.parse, which does not keep integers beyond 2^53. */
export const benchmarks = Object.fromEntries(
  Object.entries(BODIES).map(([name, text]) => {
    const bytes = new TextEncoder().encode(text)
    const decode = () => new TextDecoder().decode(bytes)
    return [
      name,
      { firn: () => Json.parse(decode(), UNBOUNDED), 'JSON.parse': () => JSON.parse(decode()) as unknown },
    ]
  }),
)
