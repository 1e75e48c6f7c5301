import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createPageTokens } from '../http/endpoint/PageToken.ts'
import { createUuidTokens, STATE_BITS } from './UuidTokens.ts'

const NOW = Date.parse('2026-11-21T12:00:30Z')
const HOUR = 3_600_000
const secret = new Uint8Array(32).fill(7)
const at = (now: number, key = secret) => createUuidTokens(createPageTokens(key), () => now)
const state = fc.bigInt(0n, (1n << STATE_BITS) - 1n)

test('encodes the state in a version 8 UUID that every replica can decode', () => {
  fc.assert(
    fc.property(state, fc.string(), (kept, name) => {
      const text = at(NOW).seal(name, kept)
      expect(text).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      const opened = at(NOW).open(text.toUpperCase())
      expect([opened.state, opened.isOf(name)]).toEqual([kept, true])
      expect(opened.isOf(`${name}.`)).toBe(false)
    }),
  )
})

test('binds a token to what it does not contain', () => {
  const opened = at(NOW).open(at(NOW).seal('list', 5n, 'last item'))
  expect(opened.state).toBe(5n)
  expect([opened.isOf('list', 'last item'), opened.isOf('list', 'other'), opened.isOf('list')]).toEqual([
    true,
    false,
    false,
  ])
  expect([opened.isLikelyOf('list'), opened.isLikelyOf('other')]).toEqual([true, false])
  const later = at(NOW + 25 * HOUR).open(at(NOW).seal('list', 5n, 'last item'))
  expect(later.isLikelyOf('list')).toBe(false)
})

describe('validity of a page token', () => {
  const text = at(NOW).seal('list', 5n)
  test.each([
    ['immediately', 0, true],
    ['within a day', 24 * HOUR, true],
    ['after more than a day', 24 * HOUR + 60_000, false],
    ['before it was issued', -HOUR, false],
    ['after years', 40 * 8_766 * HOUR, false],
  ])('checks the lifetime of a page token that is used %s (%d ms)', (_, later, isGood) => {
    expect(
      at(NOW + later)
        .open(text)
        .isOf('list'),
    ).toBe(isGood)
  })

  test('rejects a token created with a different secret', () => {
    expect(at(NOW, new Uint8Array(32)).open(text).isOf('list')).toBe(false)
  })

  test('rejects a token with any digit changed', () => {
    const digits = [...text].flatMap((digit, i) => (digit === '-' ? [] : [i]))
    for (const i of digits) {
      const other = text[i] === '0' ? '1' : '0'
      const changed = text.slice(0, i) + other + text.slice(i + 1)
      expect(at(NOW).open(changed).isOf('list')).toBe(false)
    }
  })
})

test.each([
  '',
  'x',
  '123e4567e89b12d3a456426614174000',
  '123e4567-e89b-12d3-a456-42661417400',
  '123e4567-e89b-12d3-a456-42661417400g',
  ' 123e4567-e89b-12d3-a456-426614174000',
])('throws for %j, which is not a UUID', (text) => {
  expect(() => at(NOW).open(text)).toThrow(expect.objectContaining({ code: 'DATA_PAGE_TOKEN' }))
})

test('rejects a UUID that the service did not issue', () => {
  expect(at(NOW).open('123e4567-e89b-12d3-a456-426614174000').isOf('list')).toBe(false)
})
