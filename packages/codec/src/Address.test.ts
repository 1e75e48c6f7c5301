import { describe, expect, it } from 'vitest'
import * as Address from './Address.ts'
import * as Bech32 from './Bech32.ts'
import { CodecError } from './CodecError.ts'
import * as Hex from './Hex.ts'
import { cases } from './testing/vectors.ts'

function parsed(text: string): object {
  const { chain, hrp, payload } = Address.parse(text)
  return { chain, hrp, payload: Hex.encode(payload) }
}

describe('Address', () => {
  it.each(cases('bech32', 'format'))('formats the address of a vector: $name, $address', (vector) => {
    const address = { chain: vector.chain, hrp: vector.hrp, payload: Hex.decode(vector.payload) }
    expect(Address.format(address)).toBe(vector.address)
    expect(Bech32.encode(address.hrp, address.payload)).toBe(vector.bech32)
    if (vector.parseOk) expect(parsed(vector.address)).toEqual(vector.parsed)
    else expect(() => Address.parse(vector.address)).toThrow(CodecError)
    if (vector.parseToIDOk) expect(Address.parseBytes(vector.address)).toHaveLength(Address.LENGTH)
    else expect(() => Address.parseBytes(vector.address)).toThrow(CodecError)
  })

  it.each(cases('bech32', 'parse'))(
    'parses or rejects the address like the node: $name, $address',
    (vector) => {
      if (vector.ok)
        expect(parsed(vector.address)).toEqual({
          chain: vector.chain,
          hrp: vector.hrp,
          payload: vector.payload,
        })
      else expect(() => Address.parse(vector.address)).toThrow(CodecError)
    },
  )

  it.each(['', 'é', 'a b'])('rejects the human-readable part %j', (hrp) => {
    expect(() => Bech32.encode(hrp, new Uint8Array(20))).toThrow(
      expect.objectContaining({ code: 'CODEC_BECH32' }),
    )
  })
})
