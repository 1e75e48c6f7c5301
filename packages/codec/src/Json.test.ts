import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
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

  it.each(['', '{', '{"a":}', '01', 'nul'])('rejects the malformed JSON %j', (text) => {
    expect(() => Json.parse(text)).toThrow(expect.objectContaining({ code: 'CODEC_JSON' }))
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('refuses to print %s', (value) => {
    expect(() => Json.stringify([value])).toThrow(CodecError)
  })
})
