import { Hex } from '@firn/codec'
import { describe, expect, test } from 'vitest'
import * as BitSet from './BitSet.ts'
import { cases, codeOf } from './testing/vectors.ts'

describe('encode and decode', () => {
  test.each([
    [[], '0x'],
    [[0], '0x01'],
    [[7], '0x80'],
    [[8], '0x0100'],
    [[0, 3, 8], '0x0109'],
    [[15, 16], '0x018000'],
  ])('converts between the indices %j and the bytes %s', (indices, bytes) => {
    expect(Hex.encode(BitSet.encode(indices))).toBe(bytes)
    expect(BitSet.decode(Hex.decode(bytes))).toEqual(indices)
    expect(BitSet.bitLength(Hex.decode(bytes))).toBe((indices.at(-1) ?? -1) + 1)
  })

  test('ignores the order and repetition of indices', () => {
    expect(Hex.encode(BitSet.encode(new Set([8, 3, 0])))).toBe('0x0109')
    expect(Hex.encode(BitSet.encode([3, 8, 0, 8]))).toBe('0x0109')
  })
})

describe('refusals', () => {
  test.each([-1, 0.5, Number.NaN, 2 ** 24, Number.POSITIVE_INFINITY])('rejects the index %s', (index) => {
    expect(codeOf(() => BitSet.encode([index]))).toBe('WARP_BIT_SET')
  })

  test.each(['0x00', '0x0001', '0x000000'])('rejects leading zero bytes: %s', (bytes) => {
    expect(BitSet.isCanonical(Hex.decode(bytes))).toBe(false)
    expect(codeOf(() => BitSet.decode(Hex.decode(bytes)))).toBe('WARP_BIT_SET')
  })

  test.each([
    ['0x0003', 2],
    ['0x000003', 2],
    ['0x0000', 0],
  ])('ignores leading zero bytes in the bit length of %s', (bytes, length) => {
    expect(BitSet.bitLength(Hex.decode(bytes))).toBe(length)
  })
})

test('counts the same signers as the reference in every golden signed message', () => {
  for (const { signers, numSigners, name } of cases<{ signers: string; numSigners?: number }>(
    'signedMessage',
  )) {
    const bytes = Hex.decode(signers)
    expect(BitSet.isCanonical(bytes), name).toBe(numSigners !== undefined)
    if (numSigners !== undefined) expect(BitSet.decode(bytes).length, name).toBe(numSigners)
  }
})
