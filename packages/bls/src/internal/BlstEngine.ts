import type * as Blst from '@chainsafe/blst'
import type { PublicKey, SecretKey, Signature } from '@chainsafe/blst'
import type { Engine } from '../Engine.ts'
import { noble } from '../noble.ts'
import { multiply } from './Multiply.ts'
import { exportSignature, importKey, importSignature } from './NoblePoints.ts'
import { parseOrNull } from './Parsing.ts'

/** The loaded native addon. */
type Binding = typeof Blst

/**
 * A message to sign or verify. The native addon hashes it under the signature tag when it signs or verifies. The
 * addon does not support the tag of proofs of possession, so noble hashes those messages to a point.
 */
type Hash =
  | { readonly domain: 'signature'; readonly message: Uint8Array }
  | { readonly domain: 'proofOfPossession'; readonly point: ReturnType<typeof noble.hash> }

/**
 * Creates the native engine from `@chainsafe/blst`. The addon supports only the signature tag. For proofs of
 * possession, noble hashes the message and verifies the proof, and the addon computes the proof.
 */
export function create(binding: Binding): Engine<PublicKey, Signature, SecretKey, Hash> {
  const { aggregatePublicKeys, aggregateSignatures, PublicKey, SecretKey, Signature, verify } = binding
  const infinity = Signature.fromBytes(Uint8Array.of(0xc0, ...new Uint8Array(95)))
  return {
    name: 'blst',
    parseSecretKey: (bytes) => parseOrNull(() => SecretKey.fromBytes(bytes)),
    derivePublicKey: (secret) => secret.toPublicKey(),
    hash: (message, domain) =>
      domain === 'signature' ? { domain, message } : { domain, point: noble.hash(message, domain) },
    sign: (secret, hash) =>
      hash.domain === 'signature'
        ? secret.sign(hash.message)
        : multiply(
            aggregateSignatures,
            infinity,
            Signature.fromBytes(exportSignature(hash.point)),
            secret.toBytes(),
          ),
    verify: (key, hash, signature) =>
      hash.domain === 'signature'
        ? verify(hash.message, key, signature)
        : noble.verify(importKey(key.toBytes(false)), hash.point, importSignature(signature.toBytes(false))),
    // The addon's validating parser also rejects the point at infinity. Only `PublicKey.decode` should reject
    // it, so validation is skipped for this point.
    parsePublicKey: (bytes) => parseOrNull(() => PublicKey.fromBytes(bytes, bytes[0] !== 0xc0)),
    compressPublicKey: (key) => key.toBytes(true),
    uncompressPublicKey: (key) => key.toBytes(false),
    restorePublicKey: (bytes) =>
      bytes.length === 96 ? parseOrNull(() => PublicKey.fromBytes(bytes, false)) : null,
    sumPublicKeys: (keys) => aggregatePublicKeys(keys as PublicKey[]),
    parseSignature: (bytes) => parseOrNull(() => Signature.fromBytes(bytes, true, false)),
    compressSignature: (signature) => signature.toBytes(true),
    uncompressSignature: (signature) => signature.toBytes(false),
    restoreSignature: (bytes) =>
      bytes.length === 192 ? parseOrNull(() => Signature.fromBytes(bytes, false)) : null,
    sumSignatures: (signatures) => aggregateSignatures(signatures as Signature[]),
  }
}
