import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { create, type PublicKey, parse } from '../StakingCertificate.ts'
import { fromBytes } from './integers.ts'
import * as ofNode from './verify.node.ts'
import * as portable from './verify.portable.ts'

const { der, privateKey } = create({ seed: new Uint8Array(16).fill(7) })
const ecdsa = createPrivateKey({ key: Buffer.from(privateKey), format: 'der', type: 'pkcs8' })
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const { n = '' } = createPublicKey(rsa).export({ format: 'jwk' })
const modulus = fromBytes(Buffer.from(n, 'base64url'))
const signers: Readonly<Record<string, { publicKey: PublicKey; key: typeof rsa }>> = {
  'P-256': { publicKey: parse(der).publicKey, key: ecdsa },
  RSA: { publicKey: { type: 'rsa', modulus, exponent: 65537 }, key: rsa },
}

/** Changes to a signature that make most of them invalid. */
const changes = fc.record({
  edits: fc.array(fc.tuple(fc.nat(255), fc.integer({ min: 0, max: 255 })), { maxLength: 2 }),
  cut: fc.constantFrom(0, 0, 0, 1, 40),
  tail: fc.constantFrom([], [], [], [0]),
})

describe.each(Object.entries(signers))(
  'verify of a signature by a key on %s',
  (_name, { publicKey, key }) => {
    it('returns the same result in the Node.js and the portable implementation', () => {
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 100 }), changes, fc.boolean(), (message, change, isOther) => {
          const signature = sign('sha256', message, key)
          expect(ofNode.verify(publicKey, message, signature)).toBe(true)
          for (const [at, value] of change.edits) if (at < signature.length) signature[at] = value
          const end = signature.length - change.cut
          const changed = Uint8Array.from([...signature.subarray(0, end), ...change.tail])
          const signed = isOther ? Uint8Array.from([...message, 1]) : message
          const expected = portable.verify(publicKey, signed, changed)
          expect(ofNode.verify(publicKey, signed, changed)).toBe(expected)
        }),
        { numRuns: 50 },
      )
    })
  },
)
