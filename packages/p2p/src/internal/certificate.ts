import { createPublicKey, type KeyObject, verify as verifySignature } from 'node:crypto'
import { StakingCertificate } from '@firn/keys'
import { P2pError, type P2pErrorCode } from '../P2pError.ts'

/** A certificate that complies with the staking rules, ready to verify signatures. */
export interface PeerCertificate {
  readonly der: Uint8Array
  /** The node's id, 20 bytes. */
  readonly nodeId: Uint8Array
  readonly key: KeyObject
}

/**
 * Parses a DER certificate by the staking rules: P-256, or RSA of 2048 or 4096 bits, and at most 2,048 bytes.
 * @throws P2pError with the given `code`
 */
export function parse(der: Uint8Array, code: P2pErrorCode): PeerCertificate {
  const { der: own, publicKey } = readStaking(der, code)
  return { der: own, nodeId: StakingCertificate.nodeId(own), key: keyOf(publicKey) }
}

/**
 * Checks that DER bytes are a staking certificate, without creating a key object.
 * @throws P2pError with the given `code`
 */
export function assertReadable(der: Uint8Array, code: P2pErrorCode): void {
  readStaking(der, code)
}

function readStaking(der: Uint8Array, code: P2pErrorCode): StakingCertificate.Certificate {
  try {
    return StakingCertificate.parse(der)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'unreadable'
    throw new P2pError(code, `not a staking certificate: ${reason}`, { cause })
  }
}

/**
 * Returns the key as a key object of the platform, which verifies several times faster than a portable
 * implementation.
 */
function keyOf(publicKey: StakingCertificate.PublicKey): KeyObject {
  const encode = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
  if (publicKey.type === 'ecdsa-p256') {
    const { point } = publicKey
    const key = { kty: 'EC', crv: 'P-256', x: encode(point.subarray(1, 33)), y: encode(point.subarray(33)) }
    return createPublicKey({ key, format: 'jwk' })
  }
  const modulus = Buffer.from(publicKey.modulus.toString(16), 'hex')
  return createPublicKey({ key: { kty: 'RSA', n: encode(modulus), e: 'AQAB' }, format: 'jwk' })
}

/** Returns whether `signature` is a signature of `message`, hashed with SHA-256, by the certificate's key. */
export function verify(certificate: PeerCertificate, message: Uint8Array, signature: Uint8Array): boolean {
  return verifySignature('sha256', message, certificate.key, signature)
}
