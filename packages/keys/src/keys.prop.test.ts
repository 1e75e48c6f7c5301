import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  EvmAddress,
  KeysError,
  PrivateKey,
  PublicKey,
  Signature,
  SignedIp,
  StakingCertificate,
  StakingKey,
} from './index.ts'

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })

/** Runs a parser on arbitrary input and checks that it fails only with the error class of this package. */
function expectTyped(run: () => unknown): void {
  try {
    run()
  } catch (error) {
    if (!(error instanceof KeysError)) throw error
  }
}

/**
 * Generates copies of `valid` in which some bytes are replaced. The copies are then truncated or extended.
 */
function mutated(valid: Uint8Array): fc.Arbitrary<Uint8Array> {
  const edit = fc.tuple(fc.nat(Math.max(0, valid.length - 1)), fc.integer({ min: 0, max: 255 }))
  const length = fc.oneof(
    { weight: 3, arbitrary: fc.constant(valid.length) },
    { weight: 1, arbitrary: fc.nat(valid.length + 3) },
  )
  return fc.tuple(fc.array(edit, { minLength: 1, maxLength: 3 }), length).map(([edits, to]) => {
    const copy = new Uint8Array(Math.max(to, valid.length))
    copy.set(valid)
    for (const [offset, value] of edits) copy[offset] = value
    return copy.slice(0, to)
  })
}

function mutatedText(valid: string): fc.Arbitrary<string> {
  const character = fc.oneof(
    fc.constantFrom(...valid),
    fc.string({ minLength: 0, maxLength: 2, unit: 'binary' }),
  )
  return fc
    .tuple(fc.nat(valid.length - 1), character)
    .map(([at, it]) => valid.slice(0, at) + it + valid.slice(at + 1))
}

describe('Keys and certificates', () => {
  it('restores private keys from their string form', () => {
    fc.assert(
      fc.property(bytes(32), (key) => {
        expect(PrivateKey.parse(PrivateKey.format(key))).toEqual(key)
      }),
    )
  })

  it('restores EVM addresses from their string form', () => {
    fc.assert(
      fc.property(bytes(20), (address) => {
        expect(EvmAddress.parse(EvmAddress.format(address))).toEqual(address)
      }),
    )
  })

  it("recovers the signer's public key from a signature", () => {
    const property = fc.property(bytes(32), bytes(32), (hash, key) => {
      fc.pre(PrivateKey.reduce(key) !== 0n)
      expect(Signature.recover(hash, Signature.sign(hash, key))).toEqual(PrivateKey.publicKey(key))
    })
    fc.assert(property, { numRuns: 50 })
  })

  it('restores staking keys and certificates from DER and PEM, and verifies the signatures of restored keys', () => {
    const property = fc.property(bytes(32), fc.uint8Array(), (seed, message) => {
      const { der, privateKey } = StakingCertificate.create({ seed, now: new Date(0) })
      const certificate = StakingCertificate.parsePem(StakingCertificate.formatPem(der))
      expect(certificate.der).toEqual(der)
      expect(StakingKey.encode(StakingKey.decode(privateKey))).toEqual(privateKey)
      const signature = StakingKey.sign(message, privateKey)
      expect(StakingCertificate.checkSignature(certificate, message, signature)).toBe(true)
      expect(StakingCertificate.checkSignature(certificate, Uint8Array.of(...message, 1), signature)).toBe(
        false,
      )
    })
    fc.assert(property, { numRuns: 30 })
  })
})

describe('parsers given arbitrary input', () => {
  const { der, privateKey } = StakingCertificate.create({ seed: new Uint8Array(16), now: new Date(0) })
  const certificate = StakingCertificate.parse(der)
  const key = new Uint8Array(32).fill(0x42)
  const hash = new Uint8Array(32).fill(7)
  const message = new Uint8Array(10)

  it.each([
    ['PrivateKey.decode', key, PrivateKey.decode],
    ['PublicKey.decode', PrivateKey.publicKey(key), PublicKey.decode],
    ['PublicKey.evmAddress', PrivateKey.publicKey(key), PublicKey.evmAddress],
    ['Signature.recover', Signature.sign(hash, key), (it) => Signature.recover(hash, it)],
    ['StakingCertificate.parse', der, StakingCertificate.parse],
    ['StakingKey.decode', privateKey, StakingKey.decode],
    ['StakingKey.sign', privateKey, (it) => StakingKey.sign(message, it)],
    [
      'SignedIp.unsignedBytes',
      key.subarray(0, 16),
      (address) => SignedIp.unsignedBytes({ address, port: 1, timestamp: 1n }),
    ],
  ] as const satisfies readonly (readonly [string, Uint8Array, (it: Uint8Array) => unknown])[])(
    'throws only typed errors for mutated bytes: %s',
    (_name, valid, run) => {
      fc.assert(
        fc.property(fc.oneof(mutated(valid), fc.uint8Array()), (input) => expectTyped(() => run(input))),
        {
          numRuns: 300,
        },
      )
    },
  )

  it('returns false for mutated signatures instead of throwing', () => {
    const signature = StakingKey.sign(message, privateKey)
    const property = fc.property(mutated(signature), (odd) => {
      const isSame = odd.length === signature.length && odd.every((byte, index) => byte === signature[index])
      expect(StakingCertificate.checkSignature(certificate, message, odd)).toBe(isSame)
    })
    fc.assert(property, { numRuns: 300 })
  })

  it.each([
    ['PrivateKey.parse', PrivateKey.format(key), PrivateKey.parse],
    ['PrivateKey.parseJson', `"${PrivateKey.format(key)}"`, PrivateKey.parseJson],
    ['EvmAddress.parse', EvmAddress.format(key.subarray(0, 20)), EvmAddress.parse],
    ['StakingCertificate.parsePem', StakingCertificate.formatPem(der), StakingCertificate.parsePem],
    ['StakingKey.parsePem', StakingKey.formatPem(privateKey), StakingKey.parsePem],
  ] as const satisfies readonly (readonly [string, string, (it: string) => unknown])[])(
    'throws only typed errors for mutated or arbitrary strings: %s',
    (_name, valid, run) => {
      fc.assert(
        fc.property(fc.oneof(mutatedText(valid), fc.string()), (input) => expectTyped(() => run(input))),
        {
          numRuns: 300,
        },
      )
    },
  )
})
