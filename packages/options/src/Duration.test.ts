import { describe, expect, it } from 'vitest'
import * as Duration from './Duration.ts'

describe('Duration.format', () => {
  it.each([
    [0, '0s'],
    [1, '1ms'],
    [1_500, '1500ms'],
    [1_000, '1s'],
    [90_000, '90s'],
    [120_000, '2m'],
    [5_400_000, '90m'],
    [86_400_000, '24h'],
  ])('formats %i ms as %s', (ms, text) => {
    expect(Duration.format(ms)).toBe(text)
    expect(Duration.parse(text)).toBe(ms)
  })
})

describe('Duration.parse', () => {
  it.each([
    ['1h1m1s1ms', 3_661_001],
    ['1.5h', 5_400_000],
    ['2000us', 2],
    ['2000µs', 2],
    ['1000000ns', 1],
    ['0', 0],
    ['000', 0],
  ])('parses %s as %i ms', (text, ms) => {
    expect(Duration.parse(text)).toBeCloseTo(ms, 9)
  })

  it.each(['', '1', 's', '1.s', '.5s', '-1s', '+1s', '1 s', ' 1s', '1s ', '1S', '1d', '1s2', '1e3ms'])(
    'rejects %j',
    (text) => {
      expect(Duration.parse(text)).toBeUndefined()
    },
  )

  it('applies the default unit to a number without a unit', () => {
    expect(Duration.parse('7', 's')).toBe(7_000)
    expect(Duration.parse('7ms', 's')).toBe(7)
    expect(Duration.parse('1.5', 's')).toBeUndefined()
    expect(Duration.parse('9'.repeat(16), 's')).toBeUndefined()
  })
})
