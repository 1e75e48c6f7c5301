import assert from 'node:assert/strict'
import { PublicKey, SecretKey, Signature } from '@firn/bls'
import { Hex } from '@firn/codec'
import * as Quorum from './Quorum.ts'
import * as SignedMessage from './SignedMessage.ts'
import * as UnsignedMessage from './UnsignedMessage.ts'
import * as ValidatorSet from './ValidatorSet.ts'
import * as Verification from './Verification.ts'

const COUNT = 1000

const keys = Array.from({ length: COUNT }, (_, i) => {
  const bytes = new Uint8Array(32)
  new DataView(bytes.buffer).setUint32(28, i + 1)
  return SecretKey.decode(bytes)
})
const nodes = keys.map((key, i) => {
  const nodeId = new Uint8Array(20)
  new DataView(nodeId.buffer).setUint32(16, i)
  return { nodeId, publicKey: SecretKey.publicKey(key).compressed, weight: 1n }
})
const cache = new Map(nodes.map(({ publicKey }) => [Hex.encode(publicKey), PublicKey.decode(publicKey)]))
const decodePublicKey = (bytes: Uint8Array) => cache.get(Hex.encode(bytes)) ?? PublicKey.decode(bytes)

const validatorSet = ValidatorSet.create(nodes, { decodePublicKey })
const unsigned = { networkID: 1, sourceChainID: new Uint8Array(32), payload: new Uint8Array(100) }
const message = SignedMessage.create(
  unsigned,
  validatorSet.validators.keys(),
  Signature.encode(
    Signature.aggregate(keys.map((key) => Signature.sign(key, UnsignedMessage.encode(unsigned)))),
  ),
)
const context = { networkId: 1, validatorSet, quorum: Quorum.DEFAULT }

assert.equal(validatorSet.validators.length, COUNT)
assert.deepEqual(ValidatorSet.create(nodes).totalWeight, BigInt(COUNT))
assert.equal(Verification.verify(message, context).ok, true)

export const benchmarks = {
  'validator set of 1,000 nodes': {
    'keys decoded': () => ValidatorSet.create(nodes),
    'keys from a cache': () => ValidatorSet.create(nodes, { decodePublicKey }),
  },
  'verification of 1,000 signers': { firn: () => Verification.verify(message, context) },
}
