import { Hex } from '@firn/codec'
import { describe, expect, it } from 'vitest'
import { PrivateKey, PublicKey, Signature } from './index.ts'
import { codeOf, readVectors } from './testing/vectors.ts'

interface SignCase {
  readonly privateKey: string
  readonly hash: string
  readonly message: string
  readonly signature: string
  readonly publicKey: string
}

interface RecoverCase {
  readonly name: string
  readonly hash: string
  readonly signature: string
  readonly ok: boolean
  readonly error?: string
  readonly publicKey: string
  readonly address: string
  readonly signerPublicKey?: string
  readonly verifyHash?: boolean
}

const CODES: Readonly<Record<string, string>> = {
  'invalid signature length': 'KEYS_SIGNATURE_LENGTH',
  'signature was mutated from its original format': 'KEYS_SIGNATURE_MUTATED',
  "wasn't expecting a compressed key": 'KEYS_SIGNATURE',
  'invalid signature': 'KEYS_SIGNATURE',
}

describe('Signature with recorded signatures', () => {
  it('creates the same signature of a hash as the node', () => {
    for (const { privateKey, hash, signature } of readVectors<SignCase>('keys', 'signHash')) {
      expect(Hex.encode(Signature.sign(Hex.decode(hash), Hex.decode(privateKey)))).toBe(signature)
    }
  })

  it('creates the same signature of a message as the node', () => {
    for (const { privateKey, message, signature, publicKey } of readVectors<SignCase>(
      'keys',
      'signMessage',
    )) {
      expect(Hex.encode(Signature.signMessage(Hex.decode(message), Hex.decode(privateKey)))).toBe(signature)
      expect(Hex.encode(Signature.recoverMessage(Hex.decode(message), Hex.decode(signature)))).toBe(publicKey)
    }
  })

  it.each(readVectors<RecoverCase>('keys', 'recoverHash'))(
    'recovers the signer of "$name" only if the signature is valid ($ok)',
    (given) => {
      const [hash, signature] = [Hex.decode(given.hash), Hex.decode(given.signature)]
      if (!given.ok) {
        expect(codeOf(() => Signature.recover(hash, signature))).toBe(CODES[given.error ?? ''])
        return
      }
      const publicKey = Signature.recover(hash, signature)
      expect(Hex.encode(publicKey)).toBe(given.publicKey)
      expect(Hex.encode(PublicKey.address(publicKey))).toBe(given.address)
      if (given.signerPublicKey !== undefined) {
        expect(Signature.verify(hash, signature, Hex.decode(given.signerPublicKey))).toBe(given.verifyHash)
      }
    },
  )
})

describe('Signature with invalid input', () => {
  const key = new Uint8Array(32).fill(1)

  it.each([0, 31, 33])('rejects a hash of %i bytes when signing and recovering', (length) => {
    expect(codeOf(() => Signature.sign(new Uint8Array(length), key))).toBe('KEYS_HASH')
    expect(codeOf(() => Signature.recover(new Uint8Array(length), new Uint8Array(65)))).toBe('KEYS_HASH')
  })

  it('refuses to sign with a private key that is zero or equals the group order', () => {
    const order = Hex.decode('0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141')
    expect(codeOf(() => Signature.sign(new Uint8Array(32), new Uint8Array(32)))).toBe('KEYS_PRIVATE_KEY')
    expect(codeOf(() => Signature.sign(new Uint8Array(32), order))).toBe('KEYS_PRIVATE_KEY')
  })

  it('returns false for malformed signatures instead of throwing', () => {
    expect(Signature.verify(new Uint8Array(32), new Uint8Array(64), PrivateKey.publicKey(key))).toBe(false)
  })
})
