import { bech32m, bech32 as library } from '@scure/base'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decode, encode } from './bech32.ts'

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

/** Texts with a valid checksum, some of which are changed. */
const texts = fc
  .tuple(
    hrps,
    fc.uint8Array({ maxLength: 40 }),
    fc.boolean(),
    fc.constantFrom<(text: string) => string>(
      (text) => text,
      (text) => text.toUpperCase(),
      (text) => text.charAt(0).toUpperCase() + text.slice(1),
      (text) => text.slice(1),
      (text) => text.slice(0, -1),
      (text) => `${text}q`,
      (text) => text.replace('1', ''),
      (text) => text.replace(/q/, 'b'),
      (text) => text.replace(/p/, 'z'),
    ),
  )
  .map(([hrp, payload, isM, change]) => {
    const words = library.toWords(payload)
    return change(isM ? bech32m.encode(hrp, words, false) : library.encode(hrp, words, false))
  })

it('decodes any text like the bech32 library', () => {
  fc.assert(
    fc.property(fc.oneof(texts, fc.stringMatching(/^[!-~]{0,20}$/)), (text) => {
      const found = library.decodeUnsafe(text, false) ?? bech32m.decodeUnsafe(text, false)
      expect(decode(text)).toEqual(found && { hrp: found.prefix, words: found.words })
    }),
    { numRuns: 5_000 },
  )
})
