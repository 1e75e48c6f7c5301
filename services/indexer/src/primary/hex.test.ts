import { CheckedHex, Hex } from '@firn/codec'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import * as hex from './hex.ts'

const outcome = (work: () => Uint8Array): unknown => {
  try {
    return work()
  } catch (error) {
    return (error as Error).message
  }
}
const digits = fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEFgxG é') })
const texts = fc.oneof(
  fc.uint8Array().map((bytes) => CheckedHex.encode(bytes)),
  digits.map((text) => `0x${text}`),
  digits,
)

it('returns the same bytes and errors as the strict decoders', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(outcome(() => hex.decodeChecked(text))).toEqual(outcome(() => CheckedHex.decode(text)))
      expect(outcome(() => hex.decode(text))).toEqual(outcome(() => Hex.decode(text)))
    }),
    { numRuns: 500 },
  )
})
