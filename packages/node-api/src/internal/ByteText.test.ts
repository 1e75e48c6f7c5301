import { CheckedHex, Id } from '@firn/codec'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as ByteText from './ByteText.ts'
import * as Cb58Text from './Cb58Text.ts'
import * as GoTime from './GoTime.ts'

test('encodes bytes like the codec library, and decodes the encoded text to the same bytes', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 40 }),
      fc.constantFrom('hex', 'hexc', 'hexnc'),
      (bytes, encoding) => {
        const text = ByteText.encode(bytes, encoding)
        expect(text).toBe(CheckedHex.encode(bytes, encoding))
        expect(new Uint8Array(ByteText.decode(text, encoding) as Uint8Array)).toEqual(bytes)
      },
    ),
  )
})

test('rejects JSON encoding of bytes', () => {
  expect(() => ByteText.encode(new Uint8Array(1), 'json')).toThrow('unsupported encoding in method')
})

describe('invalid encoded bytes', () => {
  test.each([
    ['00', 'hex', 'missing 0x prefix to hex encoding'],
    ['0X00', 'hex', 'missing 0x prefix to hex encoding'],
    ['0x00', 'hex', 'input string is smaller than the checksum size'],
    ['0x0000000000', 'hexc', 'invalid input checksum'],
    ['0xgg', 'hex', "encoding/hex: invalid byte: U+0067 'g'"],
    ['0x0', 'hexnc', 'encoding/hex: odd length hex string'],
    ['0x0 0', 'hexnc', "encoding/hex: invalid byte: U+0020 ' '"],
    ['0x0\n', 'hexnc', 'encoding/hex: invalid byte: U+000A'],
    ['0xé', 'hexnc', "encoding/hex: invalid byte: U+00C3 'Ã'"],
    ['0x00', 'json', 'unsupported encoding in method'],
  ] as const)('rejects %j as invalid %s text', (text, encoding, reason) => {
    expect(ByteText.decode(text, encoding)).toBe(reason)
  })

  test('decodes an empty string to an empty byte array', () => {
    expect(ByteText.decode('', 'json')).toEqual(new Uint8Array(0))
  })
})

describe('invalid ids', () => {
  test.each([
    ['', 'base58 decoding error: zero length string'],
    ['0OIl', "base58 decoding error: Invalid base58 digit ('0')"],
    [' 2fombhL7', "base58 decoding error: Invalid base58 digit (' ')"],
    ["'", "base58 decoding error: Invalid base58 digit ('\\'')"],
    ['"', `base58 decoding error: Invalid base58 digit ('"')`],
    ['2é', 'base58 decoding error: High-bit set on invalid digit'],
    ['bad', 'input string is smaller than the checksum size'],
    ['2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDba', 'invalid input checksum'],
    ['6Y3kysjF9jnHnYkdS9yGAuoHyae2eNmeV', 'invalid hash length: expected 32 bytes but got 20'],
  ])("returns the node's error text for %j", (text, reason) => {
    expect(Cb58Text.id(text)).toBe(reason)
  })
})

test('never throws on arbitrary text, and decodes every encoded id', () => {
  const odd = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.string().map((text) => `0x${text}`),
  )
  fc.assert(
    fc.property(odd, fc.constantFrom('hex', 'hexc', 'hexnc', 'json'), (text, encoding) => {
      const bytes = ByteText.decode(text, encoding)
      expect(typeof bytes === 'string' || bytes instanceof Uint8Array).toBe(true)
      const id = Cb58Text.id(text)
      expect(typeof id === 'string' || id.length === 32).toBe(true)
    }),
    { numRuns: 1000 },
  )
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (id) => {
      expect(new Uint8Array(Cb58Text.id(Id.format(id)) as Uint8Array)).toEqual(id)
    }),
  )
})

test.each([
  ['1', 'input string is smaller than the checksum size'],
  ['111', 'input string is smaller than the checksum size'],
  ['1111', 'invalid input checksum'],
  ['zzzz', 'input string is smaller than the checksum size'],
  ['2UzHM', 'invalid input checksum'],
  ['2UzHL', 'input string is smaller than the checksum size'],
])('distinguishes text that is too short from text with a wrong checksum: %s', (text, reason) => {
  expect(Cb58Text.id(text)).toBe(reason)
})

describe('GoTime.format', () => {
  test.each([
    [1795217381126740584n, '2026-11-20T23:29:41.126740584Z'],
    [1795217468071080550n, '2026-11-20T23:31:08.07108055Z'],
    [1795217468000000000n, '2026-11-20T23:31:08Z'],
  ])('formats %i nanoseconds in UTC', (nanoseconds, text) => {
    expect(inZone('UTC', () => GoTime.format(nanoseconds))).toBe(text)
  })

  test('appends the UTC offset in other time zones', () => {
    const time = 1795217468500000000n
    expect(inZone('Asia/Kolkata', () => GoTime.format(time))).toBe('2026-11-21T05:01:08.5+05:30')
    expect(inZone('America/St_Johns', () => GoTime.format(time))).toBe('2026-11-20T20:01:08.5-03:30')
  })
})

function inZone<T>(zone: string, run: () => T): T {
  const before = process.env['TZ']
  process.env['TZ'] = zone
  try {
    return run()
  } finally {
    if (before === undefined) delete process.env['TZ']
    else process.env['TZ'] = before
  }
}
