import { signIn, verifyIn } from './internal/Domains.ts'
import type { PublicKey } from './PublicKey.ts'
import { publicKey, type SecretKey } from './SecretKey.ts'
import type { Signature } from './Signature.ts'

/**
 * Signs `message` under the proof-of-possession tag. By default, the message is the key's own compressed
 * form, as used to register a validator. Nodes also sign their IP address under this tag during handshakes.
 */
export function sign(secretKey: SecretKey, message: Uint8Array = publicKey(secretKey).compressed): Signature {
  return signIn('proofOfPossession', secretKey, message)
}

/**
 * Returns whether `signature` is a valid signature of `message` by `publicKey` under the proof-of-possession
 * tag.
 */
export function verify(publicKey: PublicKey, message: Uint8Array, signature: Signature): boolean {
  return verifyIn('proofOfPossession', publicKey, message, signature)
}
