import { Hex } from '@firn/codec'
import { expect, test } from 'vitest'
import * as HandlerPrefix from './HandlerPrefix.ts'
import { readVectors } from './testing/vectors.ts'

type Bytes = `0x${string}`

test.each(readVectors<{ handlerID: string; prefix: Bytes }>('handlerPrefix'))(
  'encodes and parses the prefix of handler $handlerID as the reference does',
  ({ handlerID: handlerId, prefix }) => {
    expect(Hex.encode(HandlerPrefix.encode(BigInt(handlerId)))).toBe(prefix)
    expect(HandlerPrefix.parse(Hex.decode(prefix))?.handlerId.toString()).toBe(handlerId)
  },
)

test.each(readVectors<{ bytes: Bytes; handlerID: string; n: number }>('handlerPrefixParse'))(
  'matches the reference vector $name',
  (vector) => {
    const parsed = HandlerPrefix.parse(Hex.decode(vector.bytes))
    if (vector.n <= 0) expect(parsed).toBeUndefined()
    else
      expect({ id: parsed?.handlerId.toString(), n: parsed?.length }).toEqual({
        id: vector.handlerID,
        n: vector.n,
      })
  },
)

test('defines the handler ids of the reference implementation', () => {
  expect(readVectors('handlerIDs')[0]).toMatchObject({
    txGossip: HandlerPrefix.TX_GOSSIP,
    atomicTxGossip: HandlerPrefix.ATOMIC_TX_GOSSIP,
    signatureRequest: HandlerPrefix.SIGNATURE_REQUEST,
  })
})

test('prepends a handler prefix to a body and strips it again', () => {
  const bytes = HandlerPrefix.prepend(HandlerPrefix.SIGNATURE_REQUEST, Uint8Array.of(9, 9))
  expect(bytes).toEqual(Uint8Array.of(2, 9, 9))
  expect(HandlerPrefix.strip(bytes, 2)).toEqual(Uint8Array.of(9, 9))
  expect(HandlerPrefix.strip(bytes, 3)).toBeUndefined()
  expect(HandlerPrefix.strip(new Uint8Array(0), 2)).toBeUndefined()
})
