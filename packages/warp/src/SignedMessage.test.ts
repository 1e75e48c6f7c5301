import { Bytes, Hex } from '@firn/codec'
import { describe, expect, test } from 'vitest'
import * as BitSet from './BitSet.ts'
import * as SignedMessage from './SignedMessage.ts'
import { codeForDecodeError, codeOf, mutations, recordings } from './testing/vectors.ts'
import * as UnsignedMessage from './UnsignedMessage.ts'

describe('golden vectors', () => {
  test.each(mutations('message'))(
    'accepts or rejects mutated bytes like the reference: $name',
    ({ bytes, ok, error }) => {
      const decode = () => SignedMessage.decode(Hex.decode(bytes))
      expect(codeOf(decode)).toBe(ok ? undefined : codeForDecodeError(error as string))
      if (ok) expect(Hex.encode(SignedMessage.encode(decode()))).toBe(bytes)
    },
  )
})

test.each(recordings())(
  'decodes and encodes the recorded signed message: $name',
  ({ signedMessage, validatorSet }) => {
    const message = SignedMessage.decode(Hex.decode(signedMessage))
    const { signature, unsigned } = validatorSet
    expect(Hex.encode(UnsignedMessage.encode(message.unsigned))).toBe(unsigned)
    expect(Hex.encode(message.signature.signers)).toBe(signature.signers)
    expect(BitSet.decode(message.signature.signers)).toEqual(signature.signerIndices)
    expect(Hex.encode(message.signature.signature)).toBe(signature.signature)
    const created = SignedMessage.create(
      UnsignedMessage.decode(Hex.decode(unsigned)),
      signature.signerIndices,
      Hex.decode(signature.signature),
    )
    expect(Hex.encode(SignedMessage.encode(created))).toBe(signedMessage)
  },
)

test('encodes a signed message as the unsigned bytes, the signers and the signature', () => {
  const unsigned = { networkID: 5, sourceChainID: new Uint8Array(32), payload: Uint8Array.of(7) }
  const bytes = SignedMessage.encode(SignedMessage.create(unsigned, [8, 0, 3], new Uint8Array(96).fill(9)))
  const tail = Bytes.concat(Hex.decode('0x00000000000000020109'), new Uint8Array(96).fill(9))
  expect(bytes).toEqual(Bytes.concat(UnsignedMessage.encode(unsigned), tail))
})

test('rejects encoding a signature that is not 96 bytes long', () => {
  const unsigned = { networkID: 5, sourceChainID: new Uint8Array(32), payload: new Uint8Array() }
  expect(codeOf(() => SignedMessage.encode(SignedMessage.create(unsigned, [], new Uint8Array(95))))).toBe(
    'CODEC_VALUE',
  )
})
