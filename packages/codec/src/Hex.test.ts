import { describe, expect, it } from 'vitest'
import * as CheckedHex from './CheckedHex.ts'
import { CodecError } from './CodecError.ts'
import * as Hex from './Hex.ts'
import { cases } from './testing/vectors.ts'

const ENCODINGS = ['hex', 'hexc', 'hexnc'] as const

describe('Hex', () => {
  it.each([
    [Uint8Array.of(), '0x'],
    [Uint8Array.of(0, 1, 0xab, 0xff), '0x0001abff'],
  ])('encodes and decodes %j as %s', (bytes, text) => {
    expect(Hex.encode(bytes)).toBe(text)
    expect(Hex.decode(text)).toEqual(bytes)
    expect(Hex.decodeBare(text.slice(2))).toEqual(bytes)
    expect(Hex.decodeAny(text)).toEqual(bytes)
    expect(Hex.decodeAny(text.slice(2))).toEqual(bytes)
  })

  it.each(['', '00', '0X00', '0x0', '0x0g', '0x0x00', ' 0x00', '0x00 ', '0x\u0660\u0660', '0xé0'])(
    'rejects %j as hex',
    (text) => {
      expect(() => Hex.decode(text)).toThrow(expect.objectContaining({ code: 'CODEC_HEX' }))
    },
  )

  it('rejects a 0x prefix in bare hex', () => {
    expect(() => Hex.decodeBare('0x00')).toThrow(CodecError)
  })
})

describe('CheckedHex', () => {
  it.each(cases('hexchecksum', 'valid'))(
    'encodes and decodes the vector in every encoding: $name',
    (vector) => {
      const bytes = Hex.decode(vector.bytes)
      for (const encoding of ENCODINGS) {
        expect(CheckedHex.encode(bytes, encoding)).toBe(vector[encoding])
        expect(CheckedHex.decode(vector[encoding], encoding)).toEqual(bytes)
      }
    },
  )

  it.each(cases('hexchecksum', 'decode'))('accepts or rejects the string like the node: $name', (vector) => {
    for (const encoding of ENCODINGS) {
      if (vector[encoding].ok)
        expect(Hex.encode(CheckedHex.decode(vector.text, encoding))).toBe(vector[encoding].bytes)
      else expect(() => CheckedHex.decode(vector.text, encoding)).toThrow(CodecError)
    }
  })

  it.each(cases('hexchecksum', 'encodingName').filter(({ json }) => json.startsWith('"')))(
    'parses or rejects the encoding name $json like the node',
    (vector) => {
      const name = JSON.parse(vector.json)
      if (!vector.ok) return expect(() => CheckedHex.parseEncoding(name)).toThrow(CodecError)
      const encoding = CheckedHex.parseEncoding(name)
      expect(encoding === 'hexc' ? 'hexc' : encoding).toBe(vector.string)
    },
  )
})
