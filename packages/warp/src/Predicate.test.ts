import { Hex } from '@firn/codec'
import { describe, expect, test } from 'vitest'
import * as Predicate from './Predicate.ts'
import { codeOf } from './testing/vectors.ts'

const filled = (length: number) => new Uint8Array(length).fill(7)

test.each([
  [0, 1],
  [1, 1],
  [31, 1],
  [32, 2],
  [33, 2],
  [64, 3],
])('encodes %i bytes as %i storage keys and decodes them again', (length, keys) => {
  const words = Predicate.encode(filled(length))
  expect(words).toHaveLength(keys)
  expect(Predicate.decode(words)).toEqual(filled(length))
})

test('appends 0xff and zeros', () => {
  expect(Predicate.encode(Uint8Array.of(1, 2)).map(Hex.encode)).toEqual([`0x0102ff${'00'.repeat(29)}`])
})

test('keeps trailing bytes 0x00 and 0xff of the content', () => {
  for (const last of [0x00, 0xff]) {
    const bytes = Uint8Array.of(1, last)
    expect(Predicate.decode(Predicate.encode(bytes))).toEqual(bytes)
  }
})

describe('refusals', () => {
  const [word] = Predicate.encode(filled(5)) as [Uint8Array]
  const last = (value: number) => new Uint8Array(32).fill(value, 0, 6)

  test.each<[string, readonly Uint8Array[]]>([
    ['no storage keys', []],
    ['only zeros', [new Uint8Array(32)]],
    ['another delimiter', [last(0xfe)]],
    ['an additional storage key', [word, new Uint8Array(32)]],
    ['a storage key of 31 bytes', [word.subarray(1)]],
  ])('rejects %s', (_what, words) => {
    expect(codeOf(() => Predicate.decode(words))).toBe('WARP_PREDICATE')
  })
})
