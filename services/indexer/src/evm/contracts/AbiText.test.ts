import { Hex } from '@firn/codec'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as AbiText from './AbiText.ts'
import * as StorableText from './StorableText.ts'

const word = (value: bigint | number): string => BigInt(value).toString(16).padStart(64, '0')
const answer = (...parts: readonly string[]): Uint8Array => Hex.decode(`0x${parts.join('')}`)
const padded = (text: string): string => {
  const hex = Buffer.from(text).toString('hex')
  return hex.padEnd(Math.ceil(hex.length / 64) * 64, '0')
}
const textOf = (bytes: Uint8Array): string | undefined => {
  const decoded = AbiText.decode(bytes)
  return decoded && AbiText.toText(decoded, 1000)
}

test.each([
  ['a string', answer(word(32), word(5), padded('hello')), 'hello'],
  ['an empty string', answer(word(32), word(0)), ''],
  ['a string without padding', answer(word(32), word(2), '6869'), 'hi'],
  ['a string at a later offset', answer(word(96), word(7), word(7), word(2), padded('hi')), 'hi'],
  ['a length that overlaps its offset', answer(word(0), padded('x')), ''],
  ['a bytes32', answer(padded('MKR')), 'MKR'],
  ['a bytes32 without zeros', answer('41'.repeat(32)), 'A'.repeat(32)],
  ['a bytes32 of zeros', answer(word(0)), ''],
  ['NULs', answer(word(32), word(3), '61006200'), 'a\uFFFDb'],
  ['invalid UTF-8', answer(word(32), word(3), 'ff61c3'), '\uFFFDa\uFFFD'],
  ['a byte order mark', answer(word(32), word(4), 'efbbbf61'), '\uFEFFa'],
  ['an empty answer', answer(), undefined],
  ['part of a word', answer('00'.repeat(31)), undefined],
  ['more than a word, less than two', answer(word(32), '00'), undefined],
  ['an offset out of bounds', answer(word(96), word(2), padded('hi')), undefined],
  ['an offset of 2^256-32', answer(word(2n ** 256n - 32n), word(2), padded('hi')), undefined],
  ['an offset of 2^32+32', answer(word(2n ** 32n + 32n), word(2), padded('hi')), undefined],
  ['a length that is one too large', answer(word(32), word(33), padded('hi')), undefined],
  ['a length of 2^256-1', answer(word(32), word(2n ** 256n - 1n), padded('hi')), undefined],
])('decodes a text, or returns undefined for a malformed answer: %s', (_name, bytes, expected) => {
  expect(textOf(bytes)).toBe(expected)
})

test('decodes an answer that is a view into a larger buffer', () => {
  const bytes = answer(word(32), word(5), padded('hello'))
  const around = new Uint8Array(bytes.length + 100)
  around.set(bytes, 51)
  expect(textOf(around.subarray(51, 51 + bytes.length))).toBe('hello')
})

test('returns any text unchanged, or shortens it to the limit without splitting a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(40), (text, limit) => {
      const length = Buffer.byteLength(text)
      const decoded = AbiText.decode(answer(word(32), word(length), padded(text)))
      expect(Buffer.from(decoded ?? []).toString()).toBe(text.toWellFormed())
      const short = AbiText.toText(decoded ?? new Uint8Array(), limit)
      expect(short).toBe(StorableText.from(text, limit))
      expect(short.length).toBeLessThanOrEqual(limit)
      expect(short.isWellFormed() && !short.includes('\0')).toBe(true)
    }),
  )
})

test('never splits a surrogate pair when it shortens a text', () => {
  expect(StorableText.from('ab😀', 3)).toBe('ab')
  expect(StorableText.from('ab😀', 4)).toBe('ab😀')
  expect(StorableText.from('a\uD83D', 2)).toBe('a\uFFFD')
})
