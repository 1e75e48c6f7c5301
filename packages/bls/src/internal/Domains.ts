import type { Domain } from '../Engine.ts'
import type { PublicKey } from '../PublicKey.ts'
import type { SecretKey } from '../SecretKey.ts'
import type { Signature } from '../Signature.ts'
import { HELD, holdSignature, keyPoint, signaturePoint } from './Held.ts'

/** The signature of `message`, hashed under the tag of `domain`. */
export function signIn(domain: Domain, secretKey: SecretKey, message: Uint8Array): Signature {
  const { engine, value } = secretKey[HELD]
  return holdSignature(engine, engine.sign(value, engine.hash(message, domain)))
}

/** True when `signature` is that of `message`, hashed under the tag of `domain`, by `publicKey`. */
export function verifyIn(
  domain: Domain,
  publicKey: PublicKey,
  message: Uint8Array,
  signature: Signature,
): boolean {
  const { engine } = publicKey[HELD]
  const hash = engine.hash(message, domain)
  return engine.verify(keyPoint(engine, publicKey), hash, signaturePoint(engine, signature))
}
