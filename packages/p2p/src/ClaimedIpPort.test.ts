import { ProofOfPossession, PublicKey, SecretKey, Signature } from '@firn/bls'
import { Hex, NodeId } from '@firn/codec'
import { StakingCertificate } from '@firn/keys'
import { describe, expect, test } from 'vitest'
import * as BloomFilter from './BloomFilter.ts'
import * as ClaimedIpPort from './ClaimedIpPort.ts'
import * as Endpoint from './Endpoint.ts'
import * as Identity from './Identity.ts'
import { codeOf, readVectors } from './testing/vectors.ts'

type Bytes = `0x${string}`

interface Signed {
  readonly address: string
  readonly ipAsSlice: Bytes
  readonly port: number
  readonly timestamp: string
  readonly signedBytes: Bytes
  readonly nodeID: string
  readonly certificate: Bytes
  readonly tlsSignature: Bytes
  readonly blsSecretKey: Bytes
  readonly blsSignature: Bytes
  readonly gossipID: Bytes
}

interface Verify {
  readonly address: string
  readonly timestamp: string
  readonly maxTimestamp: string
  readonly certificate: Bytes
  readonly tlsSignature: Bytes
  readonly valid: boolean
  readonly error: string | null
  readonly blsPublicKey: Bytes
  readonly blsSignature: Bytes
  readonly blsValid: boolean
}

function claimOf(vector: Signed | Verify): ClaimedIpPort.ClaimedIpPort {
  const { host, port } = Endpoint.parse(vector.address)
  return {
    x509Certificate: Hex.decode(vector.certificate),
    ipAddr: Endpoint.addressBytes(host),
    ipPort: port,
    timestamp: BigInt(vector.timestamp),
    signature: Hex.decode(vector.tlsSignature),
    txId: new Uint8Array(32),
  }
}

describe('vectors', () => {
  test.each(readVectors<Signed>('signedIP'))(
    "matches the reference's encoding, hashes and signatures for the address $address",
    (vector) => {
      const claim = claimOf(vector)
      expect(claim.ipAddr).toEqual(Uint8Array.from(Endpoint.normalize(Hex.decode(vector.ipAsSlice))))
      expect(Hex.encode(ClaimedIpPort.signedBytes(claim))).toBe(vector.signedBytes)
      expect(NodeId.format(ClaimedIpPort.nodeId(claim))).toBe(vector.nodeID)
      expect(Hex.encode(ClaimedIpPort.gossipId(ClaimedIpPort.nodeId(claim), claim.timestamp))).toBe(
        vector.gossipID,
      )
      expect(codeOf(() => ClaimedIpPort.verify(claim, claim.timestamp))).toBeUndefined()
      const signature = ProofOfPossession.sign(
        SecretKey.decode(Hex.decode(vector.blsSecretKey)),
        ClaimedIpPort.signedBytes(claim),
      )
      expect(Hex.encode(Signature.encode(signature))).toBe(vector.blsSignature)
    },
  )
  test.each(readVectors<Verify>('verifyIP'))(
    'verifies the claim for $address as the reference does: $name',
    (vector) => {
      const claim = claimOf(vector)
      const code = vector.valid
        ? undefined
        : vector.error?.startsWith('timestamp')
          ? 'P2P_IP_TIMESTAMP'
          : 'P2P_IP_SIGNATURE'
      expect(codeOf(() => ClaimedIpPort.verify(claim, BigInt(vector.maxTimestamp)))).toBe(code)
      const isBlsValid = ProofOfPossession.verify(
        PublicKey.decode(Hex.decode(vector.blsPublicKey)),
        ClaimedIpPort.signedBytes(claim),
        Signature.decode(Hex.decode(vector.blsSignature)),
      )
      expect(isBlsValid).toBe(vector.blsValid)
    },
  )
})

test("computes a claim's gossip id and the bloom filter hash of that id", () => {
  const nodeId = Hex.decodeBare('479f66c8be895830547e70b4b298cafd433dba6e')
  const id = ClaimedIpPort.gossipId(nodeId, 1_700_000_000n)
  expect(Hex.encodeBare(id)).toBe('a038e8c4e3fef8a65645eba257d53f4b9727523a9205b00262e7487ad3dbb99a')
  const salt = Uint8Array.from({ length: 32 }, (_, i) => i)
  expect(BloomFilter.hash(id, salt).toString(16)).toBe('8daf5ec8807ded09')
  const filter = BloomFilter.decode(
    Hex.decodeBare(`020123456789abcdeffedcba9876543210${'00'.repeat(16)}`).slice(),
  )
  BloomFilter.add(filter, id, salt)
  expect(Hex.encodeBare(BloomFilter.encode(filter))).toBe(
    '020123456789abcdeffedcba987654321000000000000002000000000000001000',
  )
})

test('creates a claim that passes verification, and rejects modified claims', () => {
  const identity = Identity.create({ blsSign: () => new Uint8Array(96) })
  const claim = ClaimedIpPort.create(identity, { host: '127.0.0.1', port: 9651 }, 1_700_000_000n)
  expect(ClaimedIpPort.nodeId(claim)).toEqual(identity.nodeId)
  expect(codeOf(() => ClaimedIpPort.verify(claim, 1_700_000_000n))).toBeUndefined()
  expect(codeOf(() => ClaimedIpPort.verify({ ...claim, ipPort: 9652 }, 1_700_000_000n))).toBe(
    'P2P_IP_SIGNATURE',
  )
  expect(
    codeOf(() => ClaimedIpPort.verify({ ...claim, x509Certificate: new Uint8Array(9) }, 1_700_000_000n)),
  ).toBe('P2P_CLAIM_CERTIFICATE')
})

describe('identity', () => {
  const blsSign = (): Uint8Array => new Uint8Array(96)
  const { der, privateKey } = StakingCertificate.create()
  test('keeps the given certificate and key, and derives the NodeID from the certificate', () => {
    const identity = Identity.create({ certificate: der, privateKey, blsSign })
    expect(identity.nodeId).toEqual(StakingCertificate.nodeId(der))
  })
  test.each([
    ['a certificate alone', { certificate: der }, 'P2P_ARGUMENT'],
    ['a key alone', { privateKey }, 'P2P_ARGUMENT'],
    [
      'the key of another certificate',
      { certificate: der, privateKey: StakingCertificate.create().privateKey },
      'P2P_ARGUMENT',
    ],
    ['bytes that are not a key', { certificate: der, privateKey: Uint8Array.of(1) }, 'P2P_ARGUMENT'],
    ['bytes that are not a certificate', { certificate: Uint8Array.of(1), privateKey }, 'P2P_CERTIFICATE'],
  ])('rejects %s', (_, options, code) => {
    expect(codeOf(() => Identity.create({ ...options, blsSign }))).toBe(code)
  })
})
