import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as Json from './Json.ts'

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Parses JSON slowly: each number becomes a marked string, and a function restores it. */
function reference(text: string, isBigInt: (source: string) => boolean): unknown {
  const mark = '\u0000number '
  const marked = text.replaceAll(STRING_OR_NUMBER, (token) =>
    token.startsWith('"') ? token : JSON.stringify(mark + token),
  )
  JSON.parse(text)
  return JSON.parse(marked, (_name, value: unknown) => {
    if (typeof value !== 'string' || !value.startsWith(mark)) return value
    const source = value.slice(mark.length)
    return isBigInt(source) ? BigInt(source) : Number(source)
  })
}

const isUnsafe = (source: string) => /^-?\d+$/.test(source) && !Number.isSafeInteger(Number(source))
const isInteger = (source: string) => /^-?\d+$/.test(source) && source !== '-0'

/** Returns the value as a text that shows the types, the order of keys, `-0`, and own members named `__proto__`. */
function show(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'object' || value === null)
    return Object.is(value, -0) ? '-0' : String(JSON.stringify(value))
  if (Array.isArray(value)) return `[${value.map(show).join()}]`
  const isPlain = Object.getPrototypeOf(value) === Object.prototype
  return `${isPlain}{${Object.entries(value).map(([key, member]) => JSON.stringify(key) + show(member))}}`
}

/** Returns what parsing gives, or 'refused'. */
function outcome(parse: () => unknown): string {
  try {
    return show(parse())
  } catch {
    return 'refused'
  }
}

const integer = fc.oneof(
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
  fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }).map(String),
  fc.constantFrom('0', '-0', '-1', '9007199254740992', '-9007199254740993', '18446744073709551615'),
)
const float = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.constantFrom('1.0', '1e3', '-0.0', '18446744073709551615.0', '18446744073709551616e0', '1E+30', '0e-1'),
)
const string = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
  fc.constantFrom('"\\ud800"', '"\ud800"', '"a\\"b"', '"\\\\"', '"12345678901234567890"', '"[{,:"', '""'),
)
const longString = fc
  .tuple(fc.nat(40_000), fc.constantFrom('a', '\\n', 'é', '\\"', '漢', '\\u0041'), string)
  .map(([count, unit, end]) => `"${unit.repeat(count)}${end.slice(1)}`)
/** Without `\\u`: V8 12.9 to 13.6 mixes up the names of repeated keys that are written in two ways. */
const key = fc.oneof(
  string.filter((text) => !text.includes('\\u')),
  fc.constantFrom('"a"', '"b"', '"0"', '"__proto__"', '"constructor"', '"length"'),
)
const space = fc.constantFrom('', '', ' ', '\n\t', '\r\n  ')

const { json } = fc.letrec<{ json: string; value: string }>((tie) => ({
  json: fc.tuple(space, tie('value'), space).map((parts) => parts.join('')),
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    integer,
    float,
    string,
    longString,
    fc.constantFrom('true', 'false', 'null'),
    fc.array(tie('json')).map((items) => `[${items}]`),
    fc
      .array(fc.tuple(space, key, space, tie('json')).map(([a, k, b, v]) => `${a}${k}${b}:${v}`))
      .map((all) => `{${all}}`),
  ),
}))

/** JSON texts in which a part is removed, repeated, or replaced by a token. */
const broken = fc
  .tuple(
    json,
    fc.nat(),
    fc.nat(3),
    fc.constantFrom('', '"', '\\', '12345678901234567890', ',', ':', ']', '{', '-', 'e', '0', ' '),
  )
  .map(([text, seed, removed, token]) => {
    const at = seed % (text.length + 1)
    return text.slice(0, at) + token + text.slice(at + removed)
  })

describe('Json.parse', () => {
  it('parses every text as JSON.parse does, with integers beyond 2^53 exact', () => {
    fc.assert(
      fc.property(json, (text) => {
        expect(show(Json.parse(text))).toBe(show(reference(text, isUnsafe)))
        expect(show(Json.parseBigInts(text))).toBe(show(reference(text, isInteger)))
      }),
      { numRuns: 2_000 },
    )
  })

  it('refuses exactly the texts that JSON.parse refuses', () => {
    fc.assert(
      fc.property(fc.oneof(broken, fc.string({ unit: fc.constantFrom(...'[]{},:"\\19-.e +tn') })), (text) => {
        expect(outcome(() => Json.parse(text))).toBe(outcome(() => reference(text, isUnsafe)))
        expect(outcome(() => Json.parseBigInts(text))).toBe(outcome(() => reference(text, isInteger)))
      }),
      { numRuns: 2_000 },
    )
  })

  it('counts levels, values, keys and lengths as a walk through the parsed value does', () => {
    const plain = fc.jsonValue({ noUnicodeString: false }).map((value) => [value, 'x', 1.5])
    fc.assert(
      fc.property(plain, fc.constantFrom(undefined, 1), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent)
        const sizes = measure(value)
        expect(show(Json.parse(text, sizes))).toBe(show(reference(text, isUnsafe)))
        for (const bound of Object.keys(sizes) as (keyof Json.JsonLimits)[]) {
          if (sizes[bound] === 0) continue
          const parse = () => Json.parse(text, { ...sizes, [bound]: sizes[bound] - 1 })
          expect(parse).toThrow(expect.objectContaining({ details: expect.objectContaining({ bound }) }))
        }
      }),
      { numRuns: 500 },
    )
  })
})

function measure(value: unknown): Json.JsonLimits {
  const own = { depth: 0, values: 1, keys: 0, digits: 0, length: 0 }
  if (typeof value === 'number') return { ...own, digits: JSON.stringify(value).length }
  if (typeof value === 'string') return { ...own, length: JSON.stringify(value).length - 2 }
  if (typeof value !== 'object' || value === null) return own
  const isList = Array.isArray(value)
  const inside = [...Object.values(value), ...(isList ? [] : Object.keys(value))].map(measure)
  const most = (bound: keyof Json.JsonLimits) => Math.max(0, ...inside.map((one) => one[bound]))
  const keys = isList ? 0 : Object.keys(value).length
  const sum = (bound: keyof Json.JsonLimits) => inside.reduce((total, one) => total + one[bound], 0)
  return {
    depth: most('depth') + 1,
    values: sum('values') + 1 - keys,
    keys: sum('keys') + keys,
    digits: most('digits'),
    length: most('length'),
  }
}
