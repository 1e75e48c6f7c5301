import { bls12_381 } from '@noble/curves/bls12-381.js'
import { bytesToNumberBE } from '@noble/curves/utils.js'
import type { Engine } from './Engine.ts'
import {
  compressKey,
  compressSignature,
  exportKey,
  exportSignature,
  importKey,
  importSignature,
  type KeyPoint,
  type SignaturePoint,
} from './internal/NoblePoints.ts'
import { parseOrNull } from './internal/Parsing.ts'
import { TAGS } from './internal/Tags.ts'

const { G1, longSignatures } = bls12_381

/** The portable engine, based on `@noble/curves`. */
export const noble: Engine<KeyPoint, SignaturePoint, Uint8Array, SignaturePoint> = {
  name: 'noble',
  parseSecretKey: (bytes) => (isScalar(bytes) ? new Uint8Array(bytes) : null),
  derivePublicKey: (secret) => longSignatures.getPublicKey(secret),
  hash: (message, domain) => longSignatures.hash(message, TAGS[domain]),
  sign: (secret, hash) => longSignatures.sign(hash, secret),
  verify: (key, hash, signature) => longSignatures.verify(signature, hash, key),
  // noble's parser also rejects the point at infinity. Only `PublicKey.decode` should reject it, so this
  // point is handled separately.
  parsePublicKey: (bytes) =>
    isInfinity(bytes) ? G1.Point.ZERO : parseOrNull(() => G1.Point.fromBytes(bytes)),
  compressPublicKey: compressKey,
  uncompressPublicKey: exportKey,
  restorePublicKey: (bytes) => (bytes.length === 96 ? importKey(bytes) : null),
  sumPublicKeys: (keys) => keys.reduce((sum, key) => sum.add(key)),
  parseSignature: (bytes) => parseOrNull(() => longSignatures.Signature.fromBytes(bytes)),
  compressSignature,
  uncompressSignature: exportSignature,
  restoreSignature: (bytes) => (bytes.length === 192 ? importSignature(bytes) : null),
  sumSignatures: (signatures) => signatures.reduce((sum, signature) => sum.add(signature)),
}

function isScalar(bytes: Uint8Array): boolean {
  const scalar = bytesToNumberBE(bytes)
  return scalar > 0n && scalar < G1.Point.Fn.ORDER
}

function isInfinity(bytes: Uint8Array): boolean {
  return bytes[0] === 0xc0 && bytes.every((byte, index) => index === 0 || byte === 0)
}
