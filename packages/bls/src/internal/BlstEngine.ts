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
 * A message that is to be signed or verified. The binding hashes messages under the signature tag itself. It
 * supports no other tags, so noble hashes the other messages to points.
 */
type Hash =
  | { readonly domain: 'signature'; readonly message: Uint8Array }
  | { readonly domain: 'proofOfPossession'; readonly point: ReturnType<typeof noble.hash> }

/**
 * Creates the native engine on `@chainsafe/blst`. The binding has the signature tag built in, so noble hashes
 * the messages of proofs of possession. These are signed with native multiplications and verified by noble.
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
    // The validating parser also rejects the point at infinity, but only `PublicKey.decode` may do that.
    parsePublicKey: (bytes) => parseOrNull(() => PublicKey.fromBytes(bytes, bytes[0] !== 0xc0)),
    compressPublicKey: (key) => key.toBytes(true),
    uncompressPublicKey: (key) => key.toBytes(false),
    sumPublicKeys: (keys) => aggregatePublicKeys(keys as PublicKey[]),
    parseSignature: (bytes) => parseOrNull(() => Signature.fromBytes(bytes, true, false)),
    compressSignature: (signature) => signature.toBytes(true),
    sumSignatures: (signatures) => aggregateSignatures(signatures as Signature[]),
  }
}
