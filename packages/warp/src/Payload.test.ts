import { Hex } from '@firn/codec'
import { describe, expect, test } from 'vitest'
import * as L1Message from './L1Message.ts'
import * as Payload from './Payload.ts'
import { cases, codeForDecodeError, codeOf, mutations } from './testing/vectors.ts'

interface Call {
  readonly ok: boolean
  readonly bytes: string
  readonly sourceAddress: string
  readonly payload: string
  readonly sourceAddressLength: number
  readonly payloadLength: number
}

describe('golden vectors', () => {
  test.each(cases<{ hash: string; bytes: string }>('payload.Hash'))(
    'matches the golden Hash payload: $name $hash',
    ({ hash, bytes }) => {
      const payload = { type: 'Hash' as const, hash: Hex.decode(hash) }
      expect(Hex.encode(Payload.encode(payload))).toBe(bytes)
      expect(Payload.decode(Hex.decode(bytes))).toEqual(payload)
      expect(Payload.decodeAs(Hex.decode(bytes), 'Hash').hash).toEqual(payload.hash)
    },
  )

  test.each(cases<Call>('payload.AddressedCall'))('matches the golden AddressedCall: $name', (golden) => {
    const call = (sourceAddress: Uint8Array, payload: Uint8Array) => ({
      type: 'AddressedCall' as const,
      sourceAddress,
      payload,
    })
    if (!golden.ok) {
      const tooLong = call(new Uint8Array(golden.sourceAddressLength), new Uint8Array(golden.payloadLength))
      expect(codeOf(() => Payload.encode(tooLong))).toBe('CODEC_SIZE')
      return
    }
    const value = call(Hex.decode(golden.sourceAddress), Hex.decode(golden.payload))
    expect(Hex.encode(Payload.encode(value))).toBe(golden.bytes)
    expect(Payload.decode(Hex.decode(golden.bytes))).toEqual(value)
  })

  test.each(mutations('payload'))(
    'accepts or rejects mutated bytes like the reference: $name',
    ({ bytes, ok, error }) => {
      const decode = () => Payload.decode(Hex.decode(bytes))
      expect(codeOf(decode)).toBe(ok ? undefined : codeForDecodeError(error as string))
      if (ok) expect(Hex.encode(Payload.encode(decode()))).toBe(bytes)
    },
  )

  test.each(cases<{ bytes: string }>('wrongType'))(
    'rejects a payload or message of an unexpected type: $name',
    ({ name, bytes }) => {
      const asked = /^Parse(\w+) of/.exec(name)?.[1] as 'Hash' | 'AddressedCall' | 'L1ValidatorWeight'
      const decode = () =>
        asked === 'L1ValidatorWeight'
          ? L1Message.decodeAs(Hex.decode(bytes), asked)
          : Payload.decodeAs(Hex.decode(bytes), asked)
      expect(codeOf(decode)).toBe('WARP_WRONG_TYPE')
    },
  )
})
