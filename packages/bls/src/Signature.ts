import { BlsError } from './BlsError.ts'
import { type Engine, standard } from './Engine.ts'
import { signIn, verifyIn } from './internal/Domains.ts'
import { HELD, type Held, holdSignature, signaturePoint } from './internal/Held.ts'
import type { PublicKey } from './PublicKey.ts'
import type { SecretKey } from './SecretKey.ts'

/**
 * A signature (or proof of possession), parsed and subgroup-checked once. Its array is shared and must not be
 * modified.
 */
export interface Signature {
  /** 96 bytes, the form used on the wire. */
  readonly compressed: Uint8Array
  readonly [HELD]: Held
}

/** Length of a compressed signature in bytes. */
export const SIZE = 96

/** Signs `message`. */
export function sign(secretKey: SecretKey, message: Uint8Array): Signature {
  return signIn('signature', secretKey, message)
}

/**
 * True when `signature` is a valid signature of `message` by `publicKey`; false for an infinite key or
 * signature.
 */
export function verify(publicKey: PublicKey, message: Uint8Array, signature: Signature): boolean {
  return verifyIn('signature', publicKey, message, signature)
}

/**
 * Parses a signature from 96 compressed bytes. As in the reference, infinity is accepted but never verifies.
 *
 * @throws BlsError `BLS_SIGNATURE` unless they are the canonical form of a point in the subgroup.
 */
export function decode(bytes: Uint8Array, engine: Engine = standard): Signature {
  const point = bytes.length === SIZE ? engine.parseSignature(bytes) : null
  if (point === null) {
    throw new BlsError(
      'BLS_SIGNATURE',
      `expected a signature of 96 bytes in the subgroup, got ${bytes.length} bytes`,
      { details: { bytes: new Uint8Array(bytes) } },
    )
  }
  return holdSignature(engine, point, new Uint8Array(bytes))
}

/** Returns a copy of the compressed form, 96 bytes. */
export function encode(signature: Signature): Uint8Array {
  return new Uint8Array(signature.compressed)
}

/**
 * Returns the sum of the signatures.
 *
 * @throws BlsError `BLS_EMPTY_AGGREGATE` when no signature is given.
 */
export function aggregate(signatures: readonly Signature[]): Signature {
  const first = signatures[0]
  if (first === undefined) {
    throw new BlsError('BLS_EMPTY_AGGREGATE', 'expected at least one signature to aggregate, got none')
  }
  const { engine } = first[HELD]
  const points = signatures.map((signature) => signaturePoint(engine, signature))
  return holdSignature(engine, engine.sumSignatures(points))
}
