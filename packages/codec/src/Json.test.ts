import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { CodecError } from './CodecError.ts'
import * as Json from './Json.ts'

describe('Json', () => {
  it.each<[Json.Json, string]>([
    [null, 'null'],
    [18446744073709551615n, '18446744073709551615'],
    [{ b: 1, a: [true, 'x'] }, '{"b":1,"a":[true,"x"]}'],
    ['<a href="x">&\u2028\u2029\u0001\n', '"\\u003ca href=\\"x\\"\\u003e\\u0026\\u2028\\u2029\\u0001\\n"'],
    ['\udc80', '"\\ufffd"'],
    ['<\udc80\\\ufffd', '"\\u003c\\ufffd\\\\\ufffd"'],
  ])("prints JSON text identical to Go's: $1", (value, text) => {
    expect(Json.stringify(value)).toBe(text)
  })

  it('encodes the same JSON as UTF-8, at any length', () => {
    const value = fc.tuple(fc.jsonValue({ noUnicodeString: false }), fc.nat(5_000))
    fc.assert(
      fc.property(value, ([json, length]) => {
        const value = [json, 'x'.repeat(length), 'é'.repeat(length), 1n] as Json.Json
        expect(Buffer.from(Json.encode(value)).toString()).toBe(Json.stringify(value))
      }),
    )
  })

  it('prints values whose getters print others', () => {
    const value = {
      get inner() {
        return Json.stringify(['inner'])
      },
      last: 1,
    }
    expect(Json.stringify({ first: 0, value } as never)).toBe(
      '{"first":0,"value":{"inner":"[\\"inner\\"]","last":1}}',
    )
  })

  it('returns bytes that later calls do not change', () => {
    const bytes = Json.encode('first')
    Json.encode('other')
    expect(Buffer.from(bytes).toString()).toBe('"first"')
  })

  it('omits undefined members', () => {
    expect(Json.stringify({ a: undefined, b: 1 } as never)).toBe('{"b":1}')
  })

  it("prints the same text as JSON.stringify, except for Go's escapes", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const escaped = JSON.stringify(value).replace(
          /[<>&\u2028\u2029]/g,
          (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
        )
        expect(Json.stringify(value as Json.Json)).toBe(escaped)
      }),
      { numRuns: 1_000 },
    )
  })

  it.each(Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)))(
    'prints text that JSON.parse restores, for %j',
    (text) => {
      expect(JSON.parse(Json.stringify({ [`a${text}b`]: `${text}\u00e9` }))).toEqual({
        [`a${text}b`]: `${text}\u00e9`,
      })
      expect(JSON.parse(Json.stringify(text))).toBe(text)
      expect(Json.stringify(text)).not.toMatch(/[<>&]/)
    },
  )

  it('keeps integers beyond 2^53 exact and parses the rest like JSON.parse', () => {
    const text =
      '{"a":18446744073709551615,"b":-9007199254740993,"c":1.5,"d":9007199254740991,"e":1e3,"f":1e300}'
    expect(Json.parse(text)).toEqual({
      a: 18446744073709551615n,
      b: -9007199254740993n,
      c: 1.5,
      d: 9007199254740991,
      e: 1000,
      f: 1e300,
    })
  })

  it('parses every integer as a bigint on request', () => {
    expect(Json.parseBigInts('{"a":1,"b":1.0,"c":1e0,"d":[-12],"e":-0}')).toEqual({
      a: 1n,
      b: 1,
      c: 1,
      d: [-12n],
      e: -0,
    })
    expect(Json.parseBigInts('7')).toBe(7n)
  })

  it('keeps the last of repeated keys, with and without exact integers', () => {
    const [one, two] = ['18446744073709551615', '28446744073709551615']
    expect(Json.parse(`{"a":${one},"a":1}`)).toEqual({ a: 1 })
    expect(Json.parse(`{"a":${one},"a":${two}}`)).toEqual({ a: BigInt(two) })
    expect(Json.parse(`{"a":${one},"a":18446744073709551616e0}`)).toEqual({ a: 2 ** 64 })
    expect(Json.parse(`{"a":[${one},${one}],"a":[${two}]}`)).toEqual({ a: [BigInt(two)] })
    expect(Json.parse(`{"a":[[${one}]],"a":null}`)).toEqual({ a: null })
    expect(Json.parse(`{"a":[[${one}]],"a":{"0":{"0":1}}}`)).toEqual({ a: { 0: { 0: 1 } } })
  })

  it('adds an own member for the key __proto__, as JSON.parse does', () => {
    const parsed = Json.parse(
      '{"__proto__":18446744073709551615,"a":{"__proto__":{"b":18446744073709551615}}}',
    )
    expect(Object.getOwnPropertyDescriptor(parsed, '__proto__')?.value).toBe(18446744073709551615n)
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype)
  })

  it('finds tokens that cross the end of a part of the scan', () => {
    const token = '[18446744073709551615,"a\\"[\\\\",-1.5e+10,"[",9007199254740993]'
    const value = [18446744073709551615n, 'a"[\\', -1.5e10, '[', 9007199254740993n]
    for (let shift = 0; shift < token.length; shift++) {
      const padding = ' '.repeat(2 ** 14 - shift)
      expect(Json.parse(padding + token, { depth: 1, values: 6 })).toEqual(value)
      expect(Json.parse(`["${padding}",${token}]`, { depth: 2, values: 8 })).toEqual([padding, value])
    }
  })

  it.each([
    ['depth', '[{"a":[[]]}]', 3, 'JSON of at most 3 nesting levels, got more (at character 7)'],
    ['values', '[1,"a",null,{"b":true}]', 5, 'JSON of at most 5 values, got more (at character 13)'],
    ['keys', '[{"a":1,"b":{"c":1}}]', 2, 'JSON of at most 2 object members, got more (at character 16)'],
    ['digits', '[123,-12.5e1]', 6, 'a number of at most 6 characters, got more (at character 5)'],
    ['length', '["abc","a\\u0041"]', 6, 'a string of at most 6 characters, got more (at character 7)'],
  ] as const)('refuses JSON that exceeds the bound of %s', (bound, text, limit, message) => {
    const at = Number(/character (\d+)/.exec(message)?.[1])
    expect(() => Json.parse(text, { [bound]: limit })).toThrow(
      expect.objectContaining({
        code: 'CODEC_JSON',
        message: `expected ${message}`,
        details: { bound, limit, at },
      }),
    )
    expect(Json.parse(text, { [bound]: limit + 1 })).toEqual(JSON.parse(text))
  })

  it('refuses hostile texts by default without parsing them', () => {
    const parse = vi.spyOn(JSON, 'parse')
    const texts = [
      '['.repeat(100_000),
      '{"":'.repeat(100_000),
      '9'.repeat(1_001),
      `[${'1,'.repeat(10_000_000)}1]`,
    ]
    const bounds = texts.map((text) => {
      try {
        return Json.parse(text)
      } catch (error) {
        return error instanceof CodecError ? error.details['bound'] : error
      }
    })
    expect(bounds).toEqual(['depth', 'depth', 'digits', 'values'])
    expect(parse).not.toHaveBeenCalled()
    parse.mockRestore()
  })

  it('never shows its replacement of integers in an error', () => {
    expect(() => Json.parse('[18446744073709551615,oops]')).toThrow(/^expected JSON: .*oops/)
  })

  it.each(['', '{', '{"a":}', '01', 'nul'])('rejects the malformed JSON %j', (text) => {
    expect(() => Json.parse(text)).toThrow(expect.objectContaining({ code: 'CODEC_JSON' }))
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('refuses to print %s', (value) => {
    expect(() => Json.stringify([value])).toThrow(CodecError)
  })
})
