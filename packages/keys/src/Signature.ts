import { Bytes } from '@firn/codec'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { fromBytes, toBytes } from './internal/integers.ts'
import { signLargeHash } from './internal/signLargeHash.ts'
import { KeysError } from './KeysError.ts'
import * as PrivateKey from './PrivateKey.ts'

/** Length of a recoverable signature in bytes: r (32), s (32), v (1). */
export const LENGTH = 65
const HASH_LENGTH = 32
const ORDER = secp256k1.Point.CURVE().n

/**
 * Signs a hash of 32 bytes and returns a recoverable signature (65 bytes: r, s, v). The signature is
 * deterministic according to RFC 6979. `s` is in the lower half of the group order, and `v` is 0 or 1.
 * @throws KeysError `KEYS_HASH`, `KEYS_PRIVATE_KEY` (also for a key that is zero modulo the group order)
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { PrivateKey, Signature } from '@firn/keys'
 *
 * declare const unsignedTx: Uint8Array
 * const signature = Signature.sign(Id.hash(unsignedTx), PrivateKey.random())
 * ```
 */
export function sign(hash: Uint8Array, privateKey: Uint8Array): Uint8Array {
  assertHash(hash)
  const scalar = PrivateKey.reduce(privateKey)
  if (scalar === 0n) {
    throw new KeysError(
      'KEYS_PRIVATE_KEY',
      'private key: cannot sign with a key that is zero modulo the group order',
    )
  }
  const key = toBytes(scalar, PrivateKey.LENGTH)
  if (fromBytes(hash) >= ORDER) return signLargeHash(hash, key)
  const signature = secp256k1.sign(hash, key, { prehash: false, lowS: true, format: 'recovered' })
  return Bytes.concat(signature.subarray(1), signature.subarray(0, 1))
}

/**
 * Signs the SHA-256 of `message` and returns a recoverable signature (65 bytes).
 * @throws KeysError `KEYS_PRIVATE_KEY`
 * @example
 * ```ts
 * import { PrivateKey, Signature } from '@firn/keys'
 *
 * const message = new TextEncoder().encode('hello')
 * Signature.signMessage(message, PrivateKey.random()).length // 65
 * ```
 */
export function signMessage(message: Uint8Array, privateKey: Uint8Array): Uint8Array {
  return sign(sha256(message), privateKey)
}

/**
 * Recovers the compressed public key (33 bytes) from a signature of 65 bytes over a hash of 32 bytes.
 * @throws KeysError `KEYS_HASH`, `KEYS_SIGNATURE_LENGTH`, `KEYS_SIGNATURE_MUTATED`, `KEYS_SIGNATURE`
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { PrivateKey, Signature } from '@firn/keys'
 *
 * const hash = Id.hash(new TextEncoder().encode('hello'))
 * const signature = Signature.sign(hash, PrivateKey.random())
 * const publicKey = Signature.recover(hash, signature)
 * ```
 */
export function recover(hash: Uint8Array, signature: Uint8Array): Uint8Array {
  assertHash(hash)
  assertForm(signature)
  try {
    const raw = Bytes.concat(signature.subarray(64), signature.subarray(0, 64))
    return secp256k1.recoverPublicKey(raw, hash, { prehash: false })
  } catch (cause) {
    throw new KeysError(
      'KEYS_SIGNATURE',
      'signature: no public key can be recovered from this signature and hash',
      { cause },
    )
  }
}

/**
 * Recovers the compressed public key (33 bytes) from a signature over the SHA-256 of `message`.
 * @throws KeysError `KEYS_SIGNATURE_LENGTH`, `KEYS_SIGNATURE_MUTATED`, `KEYS_SIGNATURE`
 * @example
 * ```ts
 * import { PrivateKey, PublicKey, Signature } from '@firn/keys'
 *
 * const message = new TextEncoder().encode('hello')
 * const signature = Signature.signMessage(message, PrivateKey.random())
 * const signer = PublicKey.address(Signature.recoverMessage(message, signature))
 * ```
 */
export function recoverMessage(message: Uint8Array, signature: Uint8Array): Uint8Array {
  return recover(sha256(message), signature)
}

/**
 * Returns whether `signature` (65 bytes) is a valid signature of `hash` (32 bytes) by `publicKey` (33 bytes).
 *
 * @throws TypeError if an argument is not a byte array; malformed signatures and hashes give false
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { PrivateKey, Signature } from '@firn/keys'
 *
 * const privateKey = PrivateKey.random()
 * const hash = Id.hash(new TextEncoder().encode('hello'))
 * const signature = Signature.sign(hash, privateKey)
 * Signature.verify(hash, signature, PrivateKey.publicKey(privateKey)) // true
 * ```
 */
export function verify(hash: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean {
  try {
    return Bytes.equals(recover(hash, signature), publicKey)
  } catch (error) {
    if (error instanceof KeysError) return false
    throw error
  }
}

function assertHash(hash: Uint8Array): void {
  if (hash.length === HASH_LENGTH) return
  throw new KeysError('KEYS_HASH', `hash: expected ${HASH_LENGTH} bytes, got ${hash.length}`, {
    details: { expected: HASH_LENGTH, actual: hash.length },
  })
}

function assertForm(signature: Uint8Array): void {
  if (signature.length !== LENGTH) {
    throw new KeysError(
      'KEYS_SIGNATURE_LENGTH',
      `signature: expected ${LENGTH} bytes, got ${signature.length}`,
      {
        details: { expected: LENGTH, actual: signature.length },
      },
    )
  }
  // The node checks s after it reduces s, so it reports a value at or above the group order as "invalid", not
  // as "mutated".
  const s = fromBytes(signature.subarray(32, 64)) % ORDER
  if (s > ORDER / 2n) {
    throw new KeysError(
      'KEYS_SIGNATURE_MUTATED',
      'signature: expected s in the lower half of the group order',
    )
  }
}
