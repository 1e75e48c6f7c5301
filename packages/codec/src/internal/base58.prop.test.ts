import library from 'bs58'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import * as Base58 from './base58.ts'

/** Arbitrary bytes, including leading zeros, all zeros and all 0xff. */
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: Base58.MAX_LENGTH }),
  fc
    .tuple(fc.nat(Base58.MAX_LENGTH), fc.uint8Array({ maxLength: Base58.MAX_LENGTH }))
    .map(([zeros, rest]) => new Uint8Array([...new Uint8Array(zeros), ...rest].slice(0, Base58.MAX_LENGTH))),
)

it('encodes any bytes like the base58 library', () => {
  fc.assert(
    fc.property(bytes, (value) => {
      expect(Base58.encode(value)).toBe(library.encode(value))
    }),
    { numRuns: 2_000 },
  )
})

it.each([0, 1, 57, 58, 127, 128, 254, 255])(
  'encodes any number of repetitions of byte %i like an independent library',
  (byte) => {
    for (let length = 0; length <= Base58.MAX_LENGTH; length++) {
      const value = new Uint8Array(length).fill(byte)
      expect(Base58.encode(value)).toBe(library.encode(value))
      // This tests a power of 256 and the number just below it.
      const one = value.slice()
      one[0] = 1
      expect(Base58.encode(one)).toBe(library.encode(one))
      expect(Base58.decode(library.encode(one))).toEqual(one)
    }
  },
)

it.each([...'12LMyz'])(
  'decodes any number of repetitions of digit %s like an independent library',
  (digit) => {
    for (let length = 0; length <= 2 * Base58.MAX_LENGTH; length++) {
      for (const text of [digit.repeat(length), `2${digit.repeat(length)}`])
        expect(Base58.decode(text)).toEqual(library.decodeUnsafe(text))
    }
  },
)

it('encodes numbers near powers of 58, whose carries propagate through all limbs, like the base58 library', () => {
  for (let power = 1n; power < 1n << BigInt(8 * Base58.MAX_LENGTH); power *= 58n) {
    for (const value of [power - 1n, power, power + 1n]) {
      const digits = value.toString(16)
      const even = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')
      expect(Base58.encode(new Uint8Array(even))).toBe(library.encode(even))
    }
  }
})

/** Texts of base58 digits, some of which contain another character. */
const texts = fc
  .tuple(
    fc.nat(5),
    fc.oneof(bytes, fc.uint8Array({ maxLength: 300, size: 'max' })),
    fc.constantFrom('', '', '0', 'l', ' ', '\u0131', '\u{1f600}'),
    fc.string({ maxLength: 2 }),
  )
  .map(([zeros, value, other, end]) => '1'.repeat(zeros) + library.encode(value) + other + end)

it('decodes any text like the base58 library', () => {
  fc.assert(
    fc.property(texts, (value) => {
      expect(Base58.decode(value)).toEqual(library.decodeUnsafe(value))
    }),
    { numRuns: 2_000 },
  )
})

it('encodes and decodes long byte strings like the base58 library', () => {
  fc.assert(
    fc.property(fc.nat(3), fc.uint8Array({ minLength: 90, maxLength: 1_000, size: 'max' }), (zeros, rest) => {
      const value = new Uint8Array([...new Uint8Array(zeros), ...rest])
      const encoded = library.encode(value)
      expect(Base58.encode(value)).toBe(encoded)
      expect(Base58.decode(encoded)).toEqual(value)
    }),
  )
})

it('writes the last bytes to the tail, and refuses texts with fewer bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2 * Base58.MAX_LENGTH }), fc.nat(8), (value, length) => {
      const tail = new Uint8Array(length).fill(0xff)
      const rest = Base58.decode(library.encode(value), tail)
      if (value.length < length) expect(rest).toBeUndefined()
      else
        expect([rest, tail]).toEqual([
          value.slice(0, value.length - length),
          value.slice(value.length - length),
        ])
    }),
    {
      numRuns: 2_000,
      examples: [
        [new Uint8Array(6), 4],
        [new Uint8Array(3), 4],
        [Uint8Array.of(0, 0, 1), 2],
      ],
    },
  )
})
