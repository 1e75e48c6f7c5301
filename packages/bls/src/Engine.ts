import { engine } from '#engine'
import type { Domain } from './internal/Tags.ts'

export type { Domain }

/**
 * The functions that a BLS12-381 library must provide for this package. Keys are in G1, signatures in G2.
 * Keys, signatures, secrets and hashed messages stay in the library's internal form, which only the engine
 * that created them understands. Callers outside this package use the namespaces `PublicKey`, `Signature`, …
 * instead.
 *
 * All engines give the same result for the same bytes. Parsers return null for invalid input. They accept
 * only canonical compressed points in the subgroup, including the point at infinity.
 */
export interface Engine<Key = unknown, Sig = unknown, Secret = unknown, Hash = unknown> {
  readonly name: 'blst' | 'noble'

  /** Parses a secret key of 32 big-endian bytes, which must be above 0 and below the group order. */
  parseSecretKey(bytes: Uint8Array): Secret | null
  derivePublicKey(secret: Secret): Key
  hash(message: Uint8Array, domain: Domain): Hash
  sign(secret: Secret, hash: Hash): Sig
  /**
   * Verifies a signature of a hashed message. Returns false if the key or the signature is the point at
   * infinity.
   */
  verify(key: Key, hash: Hash, signature: Sig): boolean

  /** Parses 48 bytes into a point in the subgroup, including the point at infinity. */
  parsePublicKey(bytes: Uint8Array): Key | null
  /** Returns the compressed form of a public key (48 bytes). */
  compressPublicKey(key: Key): Uint8Array
  /** Returns the uncompressed form of a public key (96 bytes): x, then y. */
  uncompressPublicKey(key: Key): Uint8Array
  /**
   * Imports the result of {@link uncompressPublicKey} without checking the subgroup. Returns null if the length is
   * wrong.
   */
  restorePublicKey(bytes: Uint8Array): Key | null
  /** Returns the sum of one or more points. */
  sumPublicKeys(keys: readonly Key[]): Key

  /** Parses 96 bytes into a point in the subgroup, including the point at infinity. */
  parseSignature(bytes: Uint8Array): Sig | null
  /** Returns the compressed form of a signature (96 bytes). */
  compressSignature(signature: Sig): Uint8Array
  /** Returns the uncompressed form of a signature (192 bytes): x, then y. */
  uncompressSignature(signature: Sig): Uint8Array
  /**
   * Imports the result of {@link uncompressSignature} without checking the subgroup. Returns null if the length is
   * wrong.
   */
  restoreSignature(bytes: Uint8Array): Sig | null
  /** Returns the sum of one or more points. */
  sumSignatures(signatures: readonly Sig[]): Sig
}

/** The default engine: blst on Node if its native addon loads, otherwise noble. */
export const standard: Engine = engine
