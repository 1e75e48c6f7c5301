import type { Domain } from '../Engine.ts'
import { HELD, type HeldPoint, type Holder, holdSignature, keyPoint, signaturePoint } from './Held.ts'

/** Signs `message` after hashing it under the tag of `domain`. */
export function signIn(domain: Domain, secretKey: Holder, message: Uint8Array): HeldPoint {
  const { engine, value } = secretKey[HELD]
  return holdSignature(engine, engine.sign(value, engine.hash(message, domain)))
}

/**
 * Returns whether `signature` is a valid signature by `publicKey` of `message`, hashed under the tag of
 * `domain`.
 */
export function verifyIn(
  domain: Domain,
  publicKey: HeldPoint,
  message: Uint8Array,
  signature: HeldPoint,
): boolean {
  const { engine } = publicKey[HELD]
  const hash = engine.hash(message, domain)
  return engine.verify(keyPoint(engine, publicKey), hash, signaturePoint(engine, signature))
}
