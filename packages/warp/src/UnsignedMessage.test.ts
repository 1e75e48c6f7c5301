import { Hex, Id } from '@firn/codec'
import { describe, expect, test } from 'vitest'
import { cases, codeForDecodeError, codeOf, mutations } from './testing/vectors.ts'
import * as UnsignedMessage from './UnsignedMessage.ts'

interface Golden {
  readonly networkID: number
  readonly sourceChainID: string
  readonly payload: string
  readonly bytes: string
  readonly id: string
}

describe('golden vectors', () => {
  test.each(cases<Golden>('unsignedMessage'))(
    'matches the golden unsigned message: $name',
    ({ networkID: networkId, sourceChainID: sourceChainId, payload, bytes, id }) => {
      const message = {
        networkID: networkId,
        sourceChainID: Hex.decode(sourceChainId),
        payload: Hex.decode(payload),
      }
      expect(Hex.encode(UnsignedMessage.encode(message))).toBe(bytes)
      expect(UnsignedMessage.decode(Hex.decode(bytes))).toEqual(message)
      expect(Id.format(UnsignedMessage.id(message))).toBe(id)
    },
  )

  test.each(mutations('unsignedMessage'))(
    'accepts or rejects mutated bytes like the reference: $name',
    ({ bytes, ok, error }) => {
      const decode = () => UnsignedMessage.decode(Hex.decode(bytes))
      expect(codeOf(decode)).toBe(ok ? undefined : codeForDecodeError(error as string))
      if (ok) expect(Hex.encode(UnsignedMessage.encode(decode()))).toBe(bytes)
    },
  )
})

test('rejects a message above the size limit when encoding and decoding, before allocating memory', () => {
  const message = {
    networkID: 1,
    sourceChainID: Id.EMPTY,
    payload: new Uint8Array(UnsignedMessage.MAX_SIZE - 41),
  }
  expect(codeOf(() => UnsignedMessage.encode(message))).toBe('CODEC_SIZE')
  expect(codeOf(() => UnsignedMessage.decode(new Uint8Array(UnsignedMessage.MAX_SIZE + 1)))).toBe(
    'CODEC_SIZE',
  )
  const most = { ...message, payload: message.payload.subarray(1) }
  expect(UnsignedMessage.encode(most).length).toBe(UnsignedMessage.MAX_SIZE)
})
