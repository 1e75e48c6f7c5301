import { Bytes, Hex } from '@firn/codec'
import { describe, expect, test } from 'vitest'
import * as Acp118 from './Acp118.ts'
import { codeOf } from './testing/vectors.ts'

/** A request and its response, recorded from a running node. Source: p2p reference, test vectors. */
const MESSAGE =
  '000000003039ee488204088eaba3d3c0c5e26d7a2892677f8d6181ef31848708b4e55ead76670000002e000000000001000000148db97c7cece249c2b98bdc0226cc4c2a57bf52fc0000000c68656c6c6f2066726f6d2063'
const SIGNATURE =
  'b7aaa88ad26a960d834b8e8d3d0fe4f5b72dfcacd60cb5c3020b703b540af0cb11dcac448805e46e273c82bad837c1d20921b397d9e9304822e7f5f6741bf7006b2aa3aa3013605932caabeb37a72be9ea2881be523b3f9f199736912ae8a112'

describe('recorded request and response', () => {
  test('encodes and decodes a request without justification', () => {
    const request = { message: Hex.decodeBare(MESSAGE), justification: new Uint8Array() }
    expect(Hex.encodeBare(Acp118.encodeRequest(request))).toBe(`0a58${MESSAGE}`)
    expect(Acp118.decodeRequest(Hex.decodeBare(`0a58${MESSAGE}`))).toEqual(request)
  })

  test('encodes and decodes a request with justification', () => {
    const request = { message: Uint8Array.of(1), justification: Uint8Array.of(2, 3) }
    expect(Hex.encodeBare(Acp118.encodeRequest(request))).toBe('0a010112020203')
    expect(Acp118.decodeRequest(Hex.decodeBare('0a010112020203'))).toEqual(request)
    expect(Acp118.decodeRequest(Hex.decodeBare('120202030a0101'))).toEqual(request)
  })

  test('encodes and decodes a response', () => {
    const signature = Hex.decodeBare(SIGNATURE)
    expect(Hex.encodeBare(Acp118.encodeResponse({ signature }))).toBe(`0a60${SIGNATURE}`)
    expect(Acp118.decodeResponse(Hex.decodeBare(`0a60${SIGNATURE}`))).toEqual({ signature })
  })
})

test('decodes an empty body to a message with empty fields', () => {
  const empty = new Uint8Array()
  expect(Acp118.decodeResponse(empty)).toEqual({ signature: empty })
  expect(Acp118.encodeResponse({ signature: empty })).toEqual(empty)
  expect(Acp118.decodeRequest(empty)).toEqual({ message: empty, justification: empty })
})

test('copies decoded values, so that they do not keep the frame in memory', () => {
  const frame = Bytes.concat(Hex.decodeBare('0a03010203'), new Uint8Array(1000))
  for (const bytes of [frame.subarray(0, 5), Buffer.from(frame.buffer, 0, 5)]) {
    const { signature } = Acp118.decodeResponse(bytes)
    expect(signature).toEqual(Uint8Array.of(1, 2, 3))
    expect(signature.buffer.byteLength).toBe(3)
  }
})

test.each(['0a', '0a60', `0a61${SIGNATURE}`, `0a60${SIGNATURE}ff`])(
  'rejects malformed protobuf: %s',
  (hex) => {
    expect(codeOf(() => Acp118.decodeResponse(Hex.decodeBare(hex)))).toBe('WARP_PROTOBUF')
    expect(codeOf(() => Acp118.decodeRequest(Hex.decodeBare(hex)))).toBe('WARP_PROTOBUF')
  },
)
