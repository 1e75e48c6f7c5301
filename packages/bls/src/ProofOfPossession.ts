import { signIn, verifyIn } from './internal/Domains.ts'
import type { PublicKey } from './PublicKey.ts'
import { publicKey, type SecretKey } from './SecretKey.ts'
import type { Signature } from './Signature.ts'

/**
 * Signs `message` under the proof-of-possession tag and returns the signature. By default, the message is the
 * compressed form of the public key, as used to register a validator. Nodes also sign their IP address under
 * this tag during handshakes.
 *
 * @example
 * ```ts
 * import { ProofOfPossession, SecretKey, Signature } from '@firn/bls'
 *
 * const secretKey = SecretKey.random()
 * const proof = ProofOfPossession.sign(secretKey)
 * Signature.encode(proof).length // 96
 * ```
 */
export function sign(secretKey: SecretKey, message: Uint8Array = publicKey(secretKey).compressed): Signature {
  return signIn('proofOfPossession', secretKey, message)
}

/**
 * Returns whether `signature` is a valid signature of `message` by `publicKey` under the proof-of-possession
 * tag.
 *
 * @example
 * ```ts
 * import { ProofOfPossession, SecretKey } from '@firn/bls'
 *
 * const secretKey = SecretKey.random()
 * const publicKey = SecretKey.publicKey(secretKey)
 * const proof = ProofOfPossession.sign(secretKey)
 * ProofOfPossession.verify(publicKey, publicKey.compressed, proof) // true
 * ```
 */
export function verify(publicKey: PublicKey, message: Uint8Array, signature: Signature): boolean {
  return verifyIn('proofOfPossession', publicKey, message, signature)
}
