import { expect, test } from 'vitest'
import { parse } from './QueryParser.ts'

test('parses repeated, empty and escaped parameters', () => {
  expect({ ...parse('a=1&b=2&b=3&c&d=%20+%&e=%FF') }).toEqual({
    ...{ a: '1', b: ['2', '3'], c: '', d: '  %', e: '\ufffd' },
  })
})

test('has no inherited members', () => {
  expect(parse('a=1')['toString']).toBeUndefined()
  expect(Object.entries(parse('__proto__=1'))).toEqual([['__proto__', '1']])
})

test('ignores parameters after the first thousand', () => {
  const text = Array.from({ length: 1_001 }, (_, index) => `a${index}=1`).join('&')
  expect(Object.keys(parse(text))).toHaveLength(1_000)
})
