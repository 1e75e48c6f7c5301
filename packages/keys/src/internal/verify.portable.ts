import { Bytes, Hex } from '@firn/codec'
import { p256 } from '@noble/curves/nist.js'
import { sha256 } from '@noble/hashes/sha2.js'
import type { PublicKey } from '../StakingCertificate.ts'
import { readSignature } from './EcdsaP256.ts'
import { fromBytes } from './integers.ts'

/** DER of `DigestInfo { SHA-256, NULL }` up to the digest (RFC 8017, section 9.2, note 1). */
const SHA256_DIGEST_INFO = Hex.decode('0x3031300d060960864801650304020105000420')

/** Number of squarings in x^65537 = x^(2^16) * x. */
const SQUARINGS = 16

/** Returns whether `signature` is a signature over the SHA-256 of `message` by a staking key. */
export function verify(publicKey: PublicKey, message: Uint8Array, signature: Uint8Array): boolean {
  return publicKey.type === 'rsa'
    ? verifyRsa(publicKey.modulus, message, signature)
    : verifyEcdsa(publicKey.point, message, signature)
}

/** The signature is in DER, and its `s` may be in either half of the group order. */
function verifyEcdsa(point: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const compact = readSignature(signature)
  return (
    compact !== undefined &&
    p256.verify(compact, message, point, { prehash: true, lowS: false, format: 'compact' })
  )
}

/** The signature is PKCS#1 v1.5. Compares the whole padded block instead of parsing it. */
function verifyRsa(modulus: bigint, message: Uint8Array, signature: Uint8Array): boolean {
  const length = modulus.toString(16).length / 2
  if (signature.length !== length) return false
  const value = fromBytes(signature)
  return value < modulus && powerOf65537(value, modulus) === encodedDigest(message, length)
}

function powerOf65537(base: bigint, modulus: bigint): bigint {
  let power = base
  for (let i = 0; i < SQUARINGS; i++) power = (power * power) % modulus
  return (power * base) % modulus
}

function encodedDigest(message: Uint8Array, length: number): bigint {
  const suffix = Bytes.concat(Uint8Array.of(0), SHA256_DIGEST_INFO, sha256(message))
  const padding = new Uint8Array(length - 2 - suffix.length).fill(0xff)
  return fromBytes(Bytes.concat(Uint8Array.of(0, 1), padding, suffix))
}
