import { describe, expect, test } from 'vitest'
import { read } from './Words.ts'

const ADDRESS = 'b97ef9ef8734c71904d8002f8b6bc66dd9c48a6e'
const word = (digits: string) => digits.padStart(64, '0')

describe('read', () => {
  test('returns the arguments of a call', () => {
    expect(read('transfer(address,uint256)', word(ADDRESS) + word('de0b6b3a7640000'))).toEqual([
      { type: 'address', value: `0x${ADDRESS}` },
      { type: 'uint256', value: '1000000000000000000' },
    ])
  })

  test('returns integers beyond the range of doubles, and negative ones', () => {
    expect(read('f(uint256,int256)', 'f'.repeat(64) + 'f'.repeat(64))).toEqual([
      { type: 'uint256', value: String(2n ** 256n - 1n) },
      { type: 'int256', value: '-1' },
    ])
  })

  test('returns no arguments for a function without parameters', () => {
    expect(read('deposit()', '')).toEqual([])
  })

  test.each([
    ['parameters of variable size', 'multicall(bytes[])', word('20')],
    ['too few words', 'transfer(address,uint256)', word(ADDRESS)],
    ['a broken word', 'withdraw(uint256)', '0f'],
    ['an address with other bytes', 'f(address)', 'f'.repeat(64)],
    ['a boolean that is neither 0 nor 1', 'f(bool)', word('2')],
    ['a text that is no signature', 'transfer', ''],
  ])('returns undefined for %s', (_, signature, words) => {
    expect(read(signature, words)).toBeUndefined()
  })
})
