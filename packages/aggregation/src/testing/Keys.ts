import { SecretKey, Signature } from '@firn/bls'
import { Hex, Id } from '@firn/codec'

/**
 * Keys and signatures by number. They are cached, because creating them dominates the cost of a simulation.
 */
const secretKeys = new Map<number, SecretKey.SecretKey>()
const publicKeys = new Map<number, Uint8Array>()
const signatures = new Map<string, Map<number, Signature.Signature>>()

/** Returns the 48 bytes of public key number `key`. */
export function publicKey(key: number): Uint8Array {
  let known = publicKeys.get(key)
  if (known === undefined) {
    known = SecretKey.publicKey(secretKey(key)).compressed
    publicKeys.set(key, known)
  }
  return known
}

/** Returns the signature of `message` by key number `key`. */
export function sign(key: number, message: Uint8Array): Signature.Signature {
  const id = Hex.encodeBare(message)
  const known = signatures.get(id) ?? new Map<number, Signature.Signature>()
  signatures.set(id, known)
  let signature = known.get(key)
  if (signature === undefined) {
    signature = Signature.sign(secretKey(key), message)
    known.set(key, signature)
  }
  return signature
}

function secretKey(key: number): SecretKey.SecretKey {
  let known = secretKeys.get(key)
  if (known === undefined) {
    known = SecretKey.generate(Id.hash(new TextEncoder().encode(`simulated validator ${key}`)))
    secretKeys.set(key, known)
  }
  return known
}
