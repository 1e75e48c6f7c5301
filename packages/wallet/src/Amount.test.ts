import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { avax, formatAvax } from './index.ts'

describe('avax', () => {
  test.each([
    ['1.5', 1_500_000_000n],
    ['0', 0n],
    ['0.000000001', 1n],
    ['720000000', 720_000_000_000_000_000n],
  ])('converts %s', (text, amount) => {
    expect(avax(text)).toBe(amount)
  })

  test.each(['', '.5', '1.', '-1', '1e9', '1,5', '0.0000000001', '1 AVAX'])('rejects %j', (text) => {
    expect(() => avax(text)).toThrow(expect.objectContaining({ code: 'WALLET_INPUT' }))
  })

  test('is the inverse of formatAvax', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 99_999_999_999_999_999_999n }), (amount) => {
        expect(avax(formatAvax(amount))).toBe(amount)
      }),
    )
  })
})

test('formatAvax keeps the sign and omits trailing zeros', () => {
  expect(formatAvax(-1_500_000_000n)).toBe('-1.5')
  expect(formatAvax(2_000_000_000n)).toBe('2')
})
