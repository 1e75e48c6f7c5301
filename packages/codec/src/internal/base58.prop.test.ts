import library from 'bs58'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import * as Base58 from './base58.ts'

/** Bytes that begin with zeros, or are all the lowest or all the highest, beside any. */
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: Base58.MAX_LENGTH }),
  fc
    .tuple(fc.nat(Base58.MAX_LENGTH), fc.uint8Array({ maxLength: Base58.MAX_LENGTH }))
    .map(([zeros, rest]) => new Uint8Array([...new Uint8Array(zeros), ...rest].slice(0, Base58.MAX_LENGTH))),
)

it('is what the library makes of any bytes', () => {
  fc.assert(
    fc.property(bytes, (value) => {
      expect(Base58.encode(value)).toBe(library.encode(value))
    }),
    { numRuns: 2_000 },
  )
})

it.each([0, 1, 57, 58, 127, 128, 254, 255])('is what the library makes of any number of bytes %i', (byte) => {
  for (let length = 0; length <= Base58.MAX_LENGTH; length++) {
    const value = new Uint8Array(length).fill(byte)
    expect(Base58.encode(value)).toBe(library.encode(value))
    // A power of 256, and the number below it.
    const one = value.slice()
    one[0] = 1
    expect(Base58.encode(one)).toBe(library.encode(one))
  }
})

it('is what the library makes of numbers around powers of 58, where carries run through all limbs', () => {
  for (let power = 1n; power < 1n << BigInt(8 * Base58.MAX_LENGTH); power *= 58n) {
    for (const value of [power - 1n, power, power + 1n]) {
      const digits = value.toString(16)
      const even = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')
      expect(Base58.encode(new Uint8Array(even))).toBe(library.encode(even))
    }
  }
})
