import { Hex } from '@firn/codec'
import { describe, expect, test } from 'vitest'
import * as PullGossip from './PullGossip.ts'
import { codeOf, readVectors } from './testing/vectors.ts'

type Bytes = `0x${string}`

interface SdkCase {
  readonly bytes: Bytes
  readonly fields: { readonly salt: Bytes; readonly filter: Bytes; readonly gossip: readonly Bytes[] }
}

const cases = readVectors<SdkCase>('sdk')
const named = (name: string) => cases.filter((it) => it.name.startsWith(name))

describe('vectors', () => {
  test.each(named('sdk.PullGossipRequest'))(
    'encodes and decodes the reference request $bytes',
    ({ bytes, fields }) => {
      const request = { salt: Hex.decode(fields.salt), filter: Hex.decode(fields.filter) }
      expect(Hex.encode(PullGossip.encodeRequest(request))).toBe(bytes)
      expect(PullGossip.decodeRequest(Hex.decode(bytes))).toEqual(request)
    },
  )

  test.each(named('sdk.PullGossipResponse'))(
    'encodes and decodes the reference response $bytes',
    ({ bytes, fields }) => {
      const response = { gossip: fields.gossip.map((hex) => Hex.decode(hex)) }
      expect(Hex.encode(PullGossip.encodeResponse(response))).toBe(bytes)
      expect(PullGossip.decodeResponse(Hex.decode(bytes))).toEqual(response)
    },
  )
})

test.each(['0x12', '0x1205', '0x0a02ff'] as const)('rejects %s', (hex) => {
  expect(codeOf(() => PullGossip.decodeRequest(Hex.decode(hex)))).toBe('P2P_MESSAGE')
  expect(codeOf(() => PullGossip.decodeResponse(Hex.decode(hex)))).toBe('P2P_MESSAGE')
})
