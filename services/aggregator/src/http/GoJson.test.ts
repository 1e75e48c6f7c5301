import { describe, expect, it } from 'vitest'
import { read } from './GoJson.ts'

describe('read', () => {
  it('returns the members of an object in their order, with repeated keys, as JSON text', () => {
    expect(read('{"a":1,"b" : {"a":[2,"}"]} ,"a": "x\\"}" , "\\u0061":-0}')).toEqual([
      ['a', '1'],
      ['b', '{"a":[2,"}"]}'],
      ['a', '"x\\"}"'],
      ['a', '-0'],
    ])
    expect([read(' {}'), read('{ }')]).toEqual([[], []])
  })

  it.each(['{"a":"\\\\"}', '{"a":"\\\\\\""}', '{"a":"]}"}'])('finds the end of the string in %s', (text) => {
    expect(read(`${text}}"`)).toEqual([['a', text.slice(5, -1)]])
  })

  it('ignores everything after the first value', () => {
    expect(read('{"a":1}{"a":2}')).toEqual([['a', '1']])
    expect(read('{"a":1}\u0000')).toEqual([['a', '1']])
    expect([read('nullx'), read('null null'), read('5x'), read('"a"]'), read('[1]}')]).toEqual([
      'null',
      'null',
      'other',
      'other',
      'other',
    ])
  })

  it.each([
    '',
    ' ',
    '{',
    '{"a":1',
    '{"a":1]',
    '{"a":01}',
    '{"a":1,}',
    '{a:1}',
    "{'a':1}",
    '"',
    '"\\',
    'nul',
    '\ufeff{}',
    '-',
    '{"a":"\\q"}',
  ])('rejects %j', (text) => expect(() => read(text)).toThrow(SyntaxError))

  it('accepts 10,000 levels of nesting and rejects more', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    expect(read(nested(10_000))).toBe('other')
    expect(() => read(nested(10_001))).toThrow('10000 levels')
  })
})
