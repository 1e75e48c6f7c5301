import { describe, expect, it } from 'vitest'
import * as Cb58 from './Cb58.ts'
import { CodecError } from './CodecError.ts'
import * as Hex from './Hex.ts'
import { cases } from './testing/vectors.ts'

describe('Cb58', () => {
  it.each(cases('cb58', 'valid'))('encodes and decodes $name as $cb58', ({ bytes, cb58 }) => {
    expect(Cb58.encode(Hex.decode(bytes))).toBe(cb58)
    expect(Hex.encode(Cb58.decode(cb58))).toBe(bytes)
  })

  it.each(cases('cb58', 'decode'))(
    'accepts or rejects the string like the node: $name',
    ({ cb58, ok, bytes }) => {
      if (ok) expect(Hex.encode(Cb58.decode(cb58))).toBe(bytes)
      else expect(() => Cb58.decode(cb58)).toThrow(CodecError)
    },
  )

  it('encodes and decodes the maximum length, and rejects one byte more', () => {
    const longest = new Uint8Array(Cb58.MAX_BYTES_LENGTH).fill(0xff)
    const text = Cb58.encode(longest)
    expect(text.length).toBeLessThanOrEqual(Cb58.MAX_TEXT_LENGTH)
    expect(Cb58.decode(text)).toEqual(longest)
    const tooMany = new Uint8Array(Cb58.MAX_BYTES_LENGTH + 1)
    expect(() => Cb58.encode(tooMany)).toThrow(expect.objectContaining({ code: 'CODEC_LENGTH' }))
    const tooLong = '1'.repeat(Cb58.MAX_TEXT_LENGTH + 1)
    expect(() => Cb58.decode(tooLong)).toThrow(expect.objectContaining({ code: 'CODEC_LENGTH' }))
  })

  it.each([
    ['', 'CODEC_CB58'],
    ['0', 'CODEC_CB58'],
    ['111', 'CODEC_CB58'],
    ['1111', 'CODEC_CHECKSUM'],
  ])('rejects %j with the matching error code', (text, code) => {
    expect(() => Cb58.decode(text)).toThrow(expect.objectContaining({ code }))
  })
})
