import { signIn, verifyIn } from './internal/Domains.ts'
import type { PublicKey } from './PublicKey.ts'
import { publicKey, type SecretKey } from './SecretKey.ts'
import type { Signature } from './Signature.ts'

/**
 * Signs `message` under the proof-of-possession tag. The default message, the key's own compressed form,
 * registers a validator; handshakes sign their IP under the same tag.
 */
export function sign(secretKey: SecretKey, message: Uint8Array = publicKey(secretKey).compressed): Signature {
  return signIn('proofOfPossession', secretKey, message)
}

/**
 * True when `signature` is a valid signature of `message` by `publicKey` under the proof-of-possession tag.
 */
export function verify(publicKey: PublicKey, message: Uint8Array, signature: Signature): boolean {
  return verifyIn('proofOfPossession', publicKey, message, signature)
}
