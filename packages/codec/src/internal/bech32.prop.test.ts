import { bech32 as library } from '@scure/base'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { encode } from './bech32.ts'

const hrps = fc.oneof(
  fc.constantFrom('avax', 'fuji', 'local', 'custom'),
  fc
    .array(fc.integer({ min: 33, max: 126 }), { minLength: 1, maxLength: 83 })
    .map((codes) => String.fromCharCode(...codes).toLowerCase()),
)

it('encodes any human-readable part and bytes like the bech32 library', () => {
  fc.assert(
    fc.property(hrps, fc.uint8Array({ maxLength: 64 }), (hrp, payload) => {
      expect(encode(hrp, payload)).toBe(library.encode(hrp, library.toWords(payload), false))
    }),
    { numRuns: 2_000 },
  )
})

it.each([0, 255])('encodes any number of repetitions of byte %i like an independent library', (byte) => {
  for (let length = 0; length <= 64; length++) {
    const payload = new Uint8Array(length).fill(byte)
    expect(encode('avax', payload)).toBe(library.encode('avax', library.toWords(payload), false))
  }
})
