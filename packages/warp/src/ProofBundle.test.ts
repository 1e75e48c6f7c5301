import { Hex, Id, type Json, NodeId } from '@firn/codec'
import { describe, expect, test } from 'vitest'
import * as ProofBundle from './ProofBundle.ts'
import * as Quorum from './Quorum.ts'
import * as SignedMessage from './SignedMessage.ts'
import { codeOf, type Recording, recordings } from './testing/vectors.ts'
import * as ValidatorSet from './ValidatorSet.ts'

const recording = recordings().find(({ validatorSet }) => validatorSet.validators.length === 6) as Recording
const message = SignedMessage.decode(Hex.decode(recording.signedMessage))
const validatorSet = ValidatorSet.create(
  recording.validatorSet.validators.flatMap(({ publicKeyCompressed, weight, nodeIDs: nodeIds }) =>
    nodeIds.map((id) => ({
      nodeId: NodeId.parse(id),
      publicKey: Hex.decode(publicKeyCompressed),
      weight: BigInt(weight),
    })),
  ),
)
const bundle = ProofBundle.create({
  networkId: 12345,
  signingSubnetId: Id.parse(recording.validatorSet.subnetID),
  pChainHeight: BigInt(recording.validatorSet.pChainHeight),
  validatorSet,
})

test('verifies a recorded message offline against a bundle restored from text', () => {
  const parsed = ProofBundle.parse(ProofBundle.format(bundle))
  expect(parsed).toEqual(bundle)
  expect(ProofBundle.verify(parsed, message, Quorum.DEFAULT)).toMatchObject({ ok: true })
  expect(ProofBundle.verify(parsed, message, Quorum.percent(100))).toMatchObject({
    ok: false,
    code: 'INSUFFICIENT_WEIGHT',
  })
  const otherNetwork = ProofBundle.create({ ...bundle, networkId: 1, validatorSet })
  expect(ProofBundle.verify(otherNetwork, message, Quorum.DEFAULT)).toMatchObject({
    ok: false,
    code: 'WRONG_NETWORK',
  })
})

test("formats a bundle as JSON in the node's string formats", () => {
  const json = JSON.parse(ProofBundle.format(bundle))
  expect(Object.keys(json)).toEqual([
    'networkID',
    'signingSubnetID',
    'pChainHeight',
    'totalWeight',
    'validators',
    'hash',
  ])
  expect(json).toMatchObject({
    networkID: 12345,
    signingSubnetID: recording.validatorSet.subnetID,
    pChainHeight: String(recording.validatorSet.pChainHeight),
    totalWeight: validatorSet.totalWeight.toString(),
    hash: Hex.encode(bundle.hash),
  })
  expect(json.validators[0]).toEqual({
    publicKey: recording.validatorSet.validators[0]?.publicKeyCompressed,
    weight: recording.validatorSet.validators[0]?.weight,
    nodeIDs: recording.validatorSet.validators[0]?.nodeIDs,
  })
})

test('computes the hash of a bundle as the SHA-256 of the documented layout', () => {
  const empty = ProofBundle.create({
    networkId: 5,
    signingSubnetId: new Uint8Array(32).fill(0x11),
    pChainHeight: 258n,
    validatorSet: { validators: [], totalWeight: 7n },
  })
  const layout = `0x000000000005${'11'.repeat(32)}0000000000000102000000000000000700000000`
  expect(empty.hash).toEqual(Id.hash(Hex.decode(layout)))
})

describe('refusals', () => {
  const json = ProofBundle.toJSON(bundle) as {
    readonly validators: readonly { readonly [member: string]: Json.Json }[]
  }
  const first = json.validators[0] as { readonly [member: string]: Json.Json }
  const [, ...rest] = json.validators

  test.each<[string, string, Json.Json]>([
    ['WARP_BUNDLE', 'a changed height', { ...json, pChainHeight: '1' }],
    ['WARP_BUNDLE', 'a changed weight', { ...json, validators: [{ ...first, weight: '1' }, ...rest] }],
    ['WARP_BUNDLE', 'a missing validator', { ...json, validators: rest }],
    ['WARP_BUNDLE', 'no hash', Object.fromEntries(Object.entries(json).filter(([name]) => name !== 'hash'))],
    ['CODEC_HEX', 'a hash that is not hex', { ...json, hash: 'f00' }],
    ['WARP_VALIDATOR_SET', 'another order', { ...json, validators: json.validators.toReversed() }],
    ['WARP_VALIDATOR_SET', 'less weight than its validators', { ...json, totalWeight: '1' }],
    [
      'WARP_PUBLIC_KEY',
      'a key that is not a point',
      { ...json, validators: [{ ...first, publicKey: `0x${'00'.repeat(48)}` }] },
    ],
    ['CODEC_VALUE', 'a weight as a number', { ...json, totalWeight: 5 }],
    ['CODEC_VALUE', 'a weight with a leading zero', { ...json, totalWeight: '05' }],
    ['CODEC_VALUE', 'a weight over 2^64−1', { ...json, totalWeight: '18446744073709551616' }],
    ['CODEC_VALUE', 'an array instead of an object', []],
    ['CODEC_VALUE', 'null', null],
  ])('rejects a bundle with code %s: %s', (code, _what, changed) => {
    expect(codeOf(() => ProofBundle.fromJSON(changed))).toBe(code)
  })

  test('rejects text that is not JSON', () => {
    expect(codeOf(() => ProofBundle.parse('{'))).toBe('CODEC_JSON')
  })
})
