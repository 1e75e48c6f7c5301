import { engine } from '#engine'
import type { Domain } from './internal/Tags.ts'

export type { Domain }

/**
 * What a BLS12-381 library must do for this package (keys in G1, signatures in G2). Keys, signatures, secrets
 * and hashed messages stay in the library's own form, which only the engine that made them understands; the
 * namespaces `PublicKey`, `Signature`, … are the API for everyone else.
 *
 * Engines give the same verdict for the same bytes. Parsing returns null for what it refuses and accepts
 * only canonical compressed points of the subgroup, the point at infinity included.
 */
export interface Engine<Key = unknown, Sig = unknown, Secret = unknown, Hash = unknown> {
  readonly name: 'blst' | 'noble'

  /** 32 bytes, big-endian, 0 < scalar < group order. */
  parseSecretKey(bytes: Uint8Array): Secret | null
  derivePublicKey(secret: Secret): Key
  hash(message: Uint8Array, domain: Domain): Hash
  sign(secret: Secret, hash: Hash): Sig
  /** False for an infinite key or signature, whatever the other is. */
  verify(key: Key, hash: Hash, signature: Sig): boolean

  /** 48 bytes to a point of the subgroup or infinity. */
  parsePublicKey(bytes: Uint8Array): Key | null
  /** 48 bytes. */
  compressPublicKey(key: Key): Uint8Array
  /** 96 bytes: x, then y. */
  uncompressPublicKey(key: Key): Uint8Array
  /** The sum of one or more points. */
  sumPublicKeys(keys: readonly Key[]): Key

  /** 96 bytes to a point of the subgroup or infinity. */
  parseSignature(bytes: Uint8Array): Sig | null
  /** 96 bytes. */
  compressSignature(signature: Sig): Uint8Array
  /** The sum of one or more points. */
  sumSignatures(signatures: readonly Sig[]): Sig
}

/** The engine used unless another is given: blst on Node where its native part loads, otherwise noble. */
export const standard: Engine = engine
