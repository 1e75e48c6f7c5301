import { describe, expect, test } from 'vitest'
import { parse } from './Thresholds.ts'

describe('parse', () => {
  test.each([
    ['1', 6, 1_000_000n],
    ['1.5', 6, 1_500_000n],
    ['1,000.000001', 6, 1_000_000_001n],
    ['0', 18, 0n],
    ['7.', 0, 7n],
    ['123456789012345678901234567890.1', 18, 123456789012345678901234567890_100000000000000000n],
  ])('converts %s with %i decimals', (text, decimals, value) => {
    expect(parse(text, decimals)).toBe(value)
  })

  test.each([
    ['1.5', 0],
    ['', 6],
    ['-1', 6],
    ['1e3', 6],
    ['0x10', 6],
    ['.5', 6],
  ])('rejects %j with %i decimals', (text, decimals) => {
    expect(parse(text, decimals)).toBeUndefined()
  })
})
