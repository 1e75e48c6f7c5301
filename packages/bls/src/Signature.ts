import { BlsError } from './BlsError.ts'
import { type Engine, standard } from './Engine.ts'
import { isOnCurve } from './internal/curve.ts'
import { signIn, verifyIn } from './internal/Domains.ts'
import { HELD, type Held, holdSignature, signaturePoint } from './internal/Held.ts'
import { mismatch } from './internal/Parsing.ts'
import { RestoredPoint, SIGNATURE } from './internal/Restored.ts'
import type { PublicKey } from './PublicKey.ts'
import type { SecretKey } from './SecretKey.ts'

/**
 * A signature or proof of possession that was parsed and checked once. Its array is shared and must not be
 * modified.
 */
export interface Signature {
  /** Compressed form (96 bytes), which is used on the wire. */
  readonly compressed: Uint8Array
  readonly [HELD]: Held
}

/** Length of a compressed signature in bytes. */
export const SIZE = 96

/** Length of an uncompressed signature in bytes. */
export const UNCOMPRESSED_SIZE = 192

/**
 * Signs `message` and returns the signature.
 *
 * @example
 * ```ts
 * import { SecretKey, Signature } from '@firn/bls'
 *
 * const message = new TextEncoder().encode('block 42')
 * const signature = Signature.sign(SecretKey.random(), message)
 * ```
 */
export function sign(secretKey: SecretKey, message: Uint8Array): Signature {
  return signIn('signature', secretKey, message)
}

/**
 * Returns whether `signature` is a valid signature of `message` by `publicKey`. Returns false if the key or
 * the signature is the point at infinity.
 *
 * @example
 * ```ts
 * import { SecretKey, Signature } from '@firn/bls'
 *
 * const secretKey = SecretKey.random()
 * const message = new TextEncoder().encode('block 42')
 * const signature = Signature.sign(secretKey, message)
 * Signature.verify(SecretKey.publicKey(secretKey), message, signature) // true
 * ```
 */
export function verify(publicKey: PublicKey, message: Uint8Array, signature: Signature): boolean {
  return verifyIn('signature', publicKey, message, signature)
}

/**
 * Parses a signature from 96 compressed bytes. Like the node, it accepts the point at infinity, which never
 * verifies.
 *
 * @throws BlsError `BLS_SIGNATURE` unless the bytes are the canonical form of a point in the subgroup
 * @example
 * ```ts
 * import { SecretKey, Signature } from '@firn/bls'
 *
 * const bytes = Signature.encode(Signature.sign(SecretKey.random(), new Uint8Array()))
 * const signature = Signature.decode(bytes)
 * ```
 */
export function decode(bytes: Uint8Array, engine: Engine = standard): Signature {
  const point = bytes.length === SIZE ? engine.parseSignature(bytes) : null
  if (point === null) {
    throw new BlsError(
      'BLS_SIGNATURE',
      `not a valid BLS signature: ${mismatch(bytes, SIZE, 'a compressed point in the G2 subgroup')}`,
      { details: { bytes: new Uint8Array(bytes) } },
    )
  }
  return holdSignature(engine, point, new Uint8Array(bytes))
}

/**
 * Returns whether `bytes` are the compressed form of a point on the curve, which {@link decode} accepts only in the subgroup. Takes
 * a millisecond or more; meant for telling the reasons for invalid bytes apart.
 *
 * @example
 * ```ts
 * import { Signature } from '@firn/bls'
 *
 * Signature.isPoint(new Uint8Array(96)) // false: the bytes lack the flag of the compressed form
 * ```
 */
export function isPoint(bytes: Uint8Array): boolean {
  return bytes.length === SIZE && isOnCurve(bytes)
}

/**
 * Returns the signature's uncompressed form (192 bytes: x, then y), from which {@link restore} creates the signature
 * again. The array may be shared and must not be modified.
 *
 * @example
 * ```ts
 * import { SecretKey, Signature } from '@firn/bls'
 *
 * const signature = Signature.sign(SecretKey.random(), new Uint8Array())
 * Signature.uncompress(signature).length // 192
 * ```
 */
export function uncompress(signature: Signature): Uint8Array {
  if (signature instanceof RestoredPoint) return signature.uncompressed
  const { engine, value } = signature[HELD]
  return engine.uncompressSignature(value)
}

/**
 * Returns the signature whose uncompressed form is given, without checking the subgroup again. The bytes must come
 * from {@link uncompress}, for example in another thread. They are not copied. A restored signature needs less memory
 * than a decoded one, because it does not keep the engine's representation.
 *
 * @throws BlsError `BLS_SIGNATURE` if the length is not 192
 * @example
 * ```ts
 * import { SecretKey, Signature } from '@firn/bls'
 *
 * const signature = Signature.sign(SecretKey.random(), new Uint8Array())
 * const same = Signature.restore(Signature.uncompress(signature))
 * ```
 */
export function restore(uncompressed: Uint8Array, engine: Engine = standard): Signature {
  if (uncompressed.length === UNCOMPRESSED_SIZE) return new RestoredPoint(SIGNATURE, engine, uncompressed)
  throw new BlsError(
    'BLS_SIGNATURE',
    `not an uncompressed BLS signature: expected ${UNCOMPRESSED_SIZE} bytes, got ${uncompressed.length}`,
    { details: { bytes: new Uint8Array(uncompressed) } },
  )
}

/**
 * Returns a copy of the signature's compressed form (96 bytes).
 *
 * @example
 * ```ts
 * import { SecretKey, Signature } from '@firn/bls'
 *
 * const signature = Signature.sign(SecretKey.random(), new Uint8Array())
 * Signature.encode(signature).length // 96
 * ```
 */
export function encode(signature: Signature): Uint8Array {
  return new Uint8Array(signature.compressed)
}

/**
 * Returns the sum of the signatures.
 *
 * @throws BlsError `BLS_EMPTY_AGGREGATE` if no signature is given
 * @example
 * ```ts
 * import { SecretKey, Signature } from '@firn/bls'
 *
 * const message = new TextEncoder().encode('block 42')
 * const signatures = [SecretKey.random(), SecretKey.random()].map((key) => Signature.sign(key, message))
 * const sum = Signature.aggregate(signatures)
 * ```
 */
export function aggregate(signatures: readonly Signature[]): Signature {
  const first = signatures[0]
  if (first === undefined) {
    throw new BlsError(
      'BLS_EMPTY_AGGREGATE',
      'cannot aggregate an empty list: expected at least one signature',
    )
  }
  const { engine } = first[HELD]
  const points = signatures.map((signature) => signaturePoint(engine, signature))
  return holdSignature(engine, engine.sumSignatures(points))
}
