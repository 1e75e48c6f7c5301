import { Bytes, Id } from '@firn/codec'
import { PrivateKey, PublicKey, Signature } from '@firn/keys'
import { describe, expect, it } from 'vitest'
import * as Credentials from './Credentials.ts'

const unsignedBytes = new TextEncoder().encode('unsigned bytes')
const signers = [1, 2, 3]
  .map((seed) => {
    const key = Id.hash(Uint8Array.of(seed))
    return { key, address: PublicKey.address(PrivateKey.publicKey(key)) }
  })
  .sort((a, b) => Bytes.compare(a.address, b.address))
const sign = (...indices: number[]) => ({
  signatures: indices.map((i) => Signature.signMessage(unsignedBytes, signers[i]?.key as Uint8Array)),
})
const claim: Credentials.Claim = {
  unsignedBytes,
  owners: { locktime: 100n, threshold: 2, addresses: signers.map(({ address }) => address) },
  input: { signatureIndices: [0, 2] },
  credential: sign(0, 2),
  time: 100n,
}

describe('Credentials', () => {
  it('accepts the signatures of enough owners and recovers the signers', () => {
    Credentials.assertValid(claim)
    expect(Credentials.recoverSigners(unsignedBytes, claim.credential)).toEqual(
      [0, 2].map((i) => signers[i]?.address),
    )
  })

  it('accepts a credential without signatures if the threshold is 0', () => {
    const owners = { locktime: 0n, threshold: 0, addresses: [] }
    Credentials.assertValid({ ...claim, owners, input: { signatureIndices: [] }, credential: sign() })
  })

  it.each<[string, Partial<Credentials.Claim>, string]>([
    ['used before the lock has ended', { time: 99n }, 'TXS_LOCKED'],
    ['signed by too few signers', { input: { signatureIndices: [0] }, credential: sign(0) }, 'TXS_SIGNERS'],
    [
      'signed by too many signers',
      { input: { signatureIndices: [0, 1, 2] }, credential: sign(0, 1, 2) },
      'TXS_SIGNERS',
    ],
    ['with fewer signatures than indices', { credential: sign(0) }, 'TXS_SIGNERS'],
    ['with more signatures than indices', { credential: sign(0, 1, 2) }, 'TXS_SIGNERS'],
    ['with indices out of order', { input: { signatureIndices: [2, 0] } }, 'TXS_INDICES_ORDER'],
    ['with an index twice', { input: { signatureIndices: [0, 0] } }, 'TXS_INDICES_ORDER'],
    ['with an index beyond the last address', { input: { signatureIndices: [0, 3] } }, 'TXS_SIGNERS'],
    ['with signatures in another order', { credential: sign(2, 0) }, 'TXS_SIGNATURE'],
    ['over other bytes', { unsignedBytes: new Uint8Array(3) }, 'TXS_SIGNATURE'],
    [
      'with signatures of zeros',
      { credential: { signatures: [new Uint8Array(65), new Uint8Array(65)] } },
      'KEYS_SIGNATURE',
    ],
    [
      'of owners out of order',
      { owners: { ...claim.owners, addresses: claim.owners.addresses.toReversed() } },
      'TXS_ADDRESSES_ORDER',
    ],
  ])('rejects an invalid credential: %s', (_what, change, code) => {
    expect(() => Credentials.assertValid({ ...claim, ...change })).toThrow(expect.objectContaining({ code }))
  })
})
