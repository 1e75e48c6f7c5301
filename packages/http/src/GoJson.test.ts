import { Schema } from '@firn/rpc'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GoJsonError, parseFirst } from './GoJson.ts'

const parse = (text: string) => parseFirst(Buffer.from(text)).value

/** Returns the value as JSON.parse returns it. */
function plain(value: unknown): unknown {
  if (value instanceof Schema.NumberToken) return Number(value.text)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(plain)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]))
}

describe('parseFirst', () => {
  it('parses valid JSON as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent)
        expect(plain(parse(text))).toEqual(plain(JSON.parse(text)))
      }),
    )
  })

  it('keeps the text of each number', () => {
    const texts = ['0', '7', '-0', '10', '1.50', '1e9', '-2E+3', '9'.repeat(1_000)]
    expect(parse(`[${texts.join(' , ')}]`)).toEqual(texts.map((text) => new Schema.NumberToken(text)))
  })

  it('adds own members only', () => {
    const value = parse('{"__proto__":{"a":1}}') as Record<string, unknown>
    expect(Object.keys(value)).toEqual(['__proto__'])
    for (const name of ['constructor', 'toString', 'a']) expect(value[name]).toBeUndefined()
  })

  it.each([
    ['', 'EOF'],
    ['[1,', 'unexpected EOF'],
    ['[1 2]', "invalid character '2' after array element"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{1:2}', "invalid character '1' looking for beginning of object key string"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['-x', "invalid character 'x' in numeric literal"],
    ['1.x', "invalid character 'x' after decimal point in numeric literal"],
    ['trux', "invalid character 'x' in literal true (expecting 'e')"],
    ['"\u0001"', "invalid character '\\x01' in string literal"],
    ['['.repeat(10_001), "invalid character '[' exceeded max depth"],
  ])('refuses %.20j as Go does', (text, error) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ text: error }))
  })

  const membersOf = (text: string) =>
    parseFirst(Buffer.from(text), /^[ab]$/i).members.map(({ name, text: json }) => [name, json()])

  it('returns the wanted members of an object in their order, with repeated names, as JSON text', () => {
    expect(membersOf('{"a":1,"b" : {"a":[2, "}"]} ,"c":1,"A": "x\\"}" , "\\u0061":-0}')).toEqual([
      ['a', '1'],
      ['b', '{"a":[2,"}"]}'],
      ['A', '"x\\"}"'],
      ['a', '-0'],
    ])
    expect(parseFirst(Buffer.from('{"":1,"a":2}')).members).toEqual([])
    expect([membersOf(' {}'), membersOf('[{"a":1}]'), membersOf('null')]).toEqual([[], [], []])
  })

  it('accepts 10,000 levels of nesting', () => {
    expect(() => parse('['.repeat(10_000) + ']'.repeat(10_000))).not.toThrow()
  })

  it('ignores everything after the first value', () => {
    expect([membersOf('{"a":1}{"a":2}'), membersOf('{"a":1}\u0000')]).toEqual([[['a', '1']], [['a', '1']]])
    expect([parse('nullx'), parse('"a"]'), parse('[]}')]).toEqual([null, 'a', []])
  })

  it('escapes the text of a member as Go does', () => {
    expect(membersOf('{"a":"<\u2028é>"}')).toEqual([['a', '"\\u003c\\u2028é\\u003e"']])
  })

  it.each(['{"a":01}', '{"a":1,}', "{'a':1}", '"', '"\\', 'nul', '\ufeff{}', '-', '{"a":1]'])(
    'refuses %j',
    (text) => {
      expect(() => parse(text)).toThrow(expect.any(GoJsonError))
    },
  )
})
