import { Bytes } from '@firn/codec'
import { BlsError } from './BlsError.ts'
import { type Engine, standard } from './Engine.ts'
import { isOnCurve } from './internal/curve.ts'
import { HELD, type Held, holdPublicKey, isInfinity, keyPoint } from './internal/Held.ts'
import { mismatch } from './internal/Parsing.ts'
import { PUBLIC_KEY, RestoredPoint } from './internal/Restored.ts'

/** A public key that was parsed and checked once. Its arrays are shared and must not be modified. */
export interface PublicKey {
  /** Compressed form (48 bytes), which is used on the wire and in JSON. */
  readonly compressed: Uint8Array
  /** Uncompressed form (96 bytes: x, then y), which determines the order of validator sets. */
  readonly uncompressed: Uint8Array
  readonly [HELD]: Held
}

/** Length of a compressed public key in bytes. */
export const SIZE = 48

/** Length of an uncompressed public key in bytes. */
export const UNCOMPRESSED_SIZE = 96

/**
 * Parses a public key from 48 compressed bytes.
 *
 * @throws BlsError `BLS_PUBLIC_KEY` unless the bytes are the canonical form of a point in the subgroup other
 * than infinity
 * @example
 * ```ts
 * import { PublicKey, SecretKey } from '@firn/bls'
 *
 * const bytes = PublicKey.encode(SecretKey.publicKey(SecretKey.random()))
 * const publicKey = PublicKey.decode(bytes)
 * ```
 */
export function decode(bytes: Uint8Array, engine: Engine = standard): PublicKey {
  const point = bytes.length === SIZE ? engine.parsePublicKey(bytes) : null
  if (point === null || isInfinity(bytes)) {
    throw new BlsError(
      'BLS_PUBLIC_KEY',
      `not a valid BLS public key: ${mismatch(bytes, SIZE, 'a compressed G1 point other than infinity')}`,
      { details: { bytes: new Uint8Array(bytes) } },
    )
  }
  return holdPublicKey(engine, point, new Uint8Array(bytes))
}

/**
 * Returns whether `bytes` are the compressed form of a point on the curve, which {@link decode} accepts only in the subgroup. Takes
 * a millisecond or more; meant for telling the reasons for invalid bytes apart.
 *
 * @example
 * ```ts
 * import { PublicKey } from '@firn/bls'
 *
 * PublicKey.isPoint(new Uint8Array(48)) // false: the bytes lack the flag of the compressed form
 * ```
 */
export function isPoint(bytes: Uint8Array): boolean {
  return bytes.length === SIZE && isOnCurve(bytes)
}

/**
 * Returns the key whose `uncompressed` form is given, without checking the subgroup again. The bytes must come from
 * a decoded key, for example in another thread. They are not copied.
 *
 * @throws BlsError `BLS_PUBLIC_KEY` if the length is not 96
 * @example
 * ```ts
 * import { PublicKey, SecretKey } from '@firn/bls'
 *
 * const publicKey = SecretKey.publicKey(SecretKey.random())
 * PublicKey.compare(PublicKey.restore(publicKey.uncompressed), publicKey) // 0
 * ```
 */
export function restore(uncompressed: Uint8Array, engine: Engine = standard): PublicKey {
  if (uncompressed.length === UNCOMPRESSED_SIZE) return new RestoredPoint(PUBLIC_KEY, engine, uncompressed)
  throw new BlsError(
    'BLS_PUBLIC_KEY',
    `not an uncompressed BLS public key: expected ${UNCOMPRESSED_SIZE} bytes, got ${uncompressed.length}`,
    { details: { bytes: new Uint8Array(uncompressed) } },
  )
}

/**
 * Returns a copy of the key's compressed form (48 bytes).
 *
 * @example
 * ```ts
 * import { PublicKey, SecretKey } from '@firn/bls'
 *
 * const publicKey = SecretKey.publicKey(SecretKey.random())
 * PublicKey.encode(publicKey).length // 48
 * ```
 */
export function encode(publicKey: PublicKey): Uint8Array {
  return new Uint8Array(publicKey.compressed)
}

/**
 * Compares two keys in the order of validator sets, which is the order of the uncompressed bytes. Returns −1,
 * 0 or 1 for use in a sort function. The order of the compressed bytes is different.
 *
 * @example
 * ```ts
 * import { PublicKey, SecretKey } from '@firn/bls'
 *
 * const publicKeys = [SecretKey.random(), SecretKey.random()].map(SecretKey.publicKey)
 * publicKeys.sort(PublicKey.compare)
 * ```
 */
export function compare(a: PublicKey, b: PublicKey): -1 | 0 | 1 {
  return Bytes.compare(a.uncompressed, b.uncompressed)
}

/**
 * Returns the sum of the keys, with which the aggregate of their signatures of one message can be verified. A
 * key that occurs twice counts twice. Keys that cancel each other give the point at infinity, with which no
 * signature verifies.
 *
 * @throws BlsError `BLS_EMPTY_AGGREGATE` if no key is given
 * @example
 * ```ts
 * import { PublicKey, SecretKey } from '@firn/bls'
 *
 * const publicKeys = [SecretKey.random(), SecretKey.random()].map(SecretKey.publicKey)
 * const sum = PublicKey.aggregate(publicKeys)
 * ```
 */
export function aggregate(publicKeys: readonly PublicKey[]): PublicKey {
  const first = publicKeys[0]
  if (first === undefined) {
    throw new BlsError(
      'BLS_EMPTY_AGGREGATE',
      'cannot aggregate an empty list: expected at least one public key',
    )
  }
  const { engine } = first[HELD]
  return holdPublicKey(engine, engine.sumPublicKeys(publicKeys.map((key) => keyPoint(engine, key))))
}
