import { base58, bech32, bech32m } from '@scure/base'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as Bech32 from './Bech32.ts'
import { CodecError } from './CodecError.ts'
import * as Base58 from './internal/Base58.ts'
import { sha256 as ofNode } from './internal/sha256.node.ts'
import { sha256 as portable } from './internal/sha256.portable.ts'

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 80 }),
  fc
    .tuple(fc.nat(8), fc.uint8Array({ maxLength: 40 }))
    .map(([zeros, rest]) => Uint8Array.of(...new Uint8Array(zeros), ...rest)),
)

describe('Base58, against a second engine', () => {
  it('gives the same text, and the bytes back', () => {
    fc.assert(
      fc.property(bytes, (value) => {
        const text = base58.encode(value)
        expect(Base58.encode(value)).toBe(text)
        expect(Base58.decode(text)).toEqual(value)
      }),
      { numRuns: 500 },
    )
  })

  it('reads and refuses the same texts', () => {
    const characters = fc.constantFrom(...'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', '0')
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.oneof({ weight: 50, arbitrary: characters }, { weight: 1, arbitrary: fc.string() }),
          maxLength: 40,
        }),
        (text) => {
          let expected: Uint8Array | undefined
          try {
            expected = base58.decode(text)
          } catch {
            expected = undefined
          }
          expect(Base58.decode(text)).toEqual(expected)
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('Bech32, against a second engine', () => {
  const hrp = fc.string({
    unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)),
    minLength: 1,
    maxLength: 20,
  })

  it('gives the same text', () => {
    fc.assert(
      fc.property(hrp, bytes, (part, value) => {
        expect(Bech32.encode(part, value)).toBe(
          bech32.encode(part.toLowerCase(), bech32.toWords(value), false),
        )
      }),
    )
  })

  it('reads and refuses the same texts, of both checksums, mutated too', () => {
    const text = fc
      .tuple(
        hrp,
        fc.uint8Array({ maxLength: 30 }),
        fc.boolean(),
        fc.option(fc.tuple(fc.nat(), fc.integer({ min: 33, max: 126 })), { freq: 2 }),
      )
      .map(([part, value, isM, change]) => {
        const engine = isM ? bech32m : bech32
        const whole = engine.encode(part.toLowerCase(), engine.toWords(value), false)
        if (change === null) return whole
        const at = change[0] % whole.length
        return whole.slice(0, at) + String.fromCharCode(change[1]) + whole.slice(at + 1)
      })
    fc.assert(
      fc.property(text, (value) => {
        const expected = bech32.decodeUnsafe(value) ?? bech32m.decodeUnsafe(value)
        if (expected === undefined) expect(() => Bech32.decode(value)).toThrow(CodecError)
        else expect(Bech32.decode(value).hrp).toBe(expected.prefix)
      }),
      { numRuns: 500 },
    )
  })
})

describe('SHA-256', () => {
  it('is the same by the platform and by the portable engine', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (value) => {
        expect(ofNode(value)).toEqual(portable(value))
      }),
    )
  })
})
