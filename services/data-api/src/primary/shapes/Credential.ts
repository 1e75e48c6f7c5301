import { Bytes, Id, isFirnError } from '@firn/codec'
import { Signature } from '@firn/keys'
import { LRUCache } from 'lru-cache'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import * as Schema from '../../http/endpoint/Schema.ts'

/** A signature and its public key, both in base64 without padding. */
export const Credential = Schema.object('UtxoCredential', 'A signature and its public key', {
  signature: Schema.optional(
    Schema.text('Signature with recovery byte, in base64 without padding', 'bXkgc2lnbmF0dXJl'),
  ),
  publicKey: Schema.optional(Schema.text('Compressed public key, in base64 without padding', 'AgrHh2mOzV4')),
})

/** Returns the signatures of a credential with their public keys. `unsigned` contains the signed bytes. */
export function credentials(signatures: readonly Uint8Array[], unsigned: Uint8Array): Body[] {
  return signatures.map((signature) => ({
    signature: base64(signature),
    publicKey: publicKeyOf(unsigned, signature),
  }))
}

/**
 * Cache of recovered public keys by signed bytes and signature, because recovering a key takes a millisecond.
 */
const KEYS = new LRUCache<string, { readonly publicKey: string | undefined }>({ max: 50_000 })

/**
 * Recovers the public key of a signature. Returns undefined for an invalid signature; the genesis and early
 * blocks contain such signatures.
 */
function publicKeyOf(unsigned: Uint8Array, signature: Uint8Array): string | undefined {
  const hash = Id.hash(unsigned)
  const name = base64(Bytes.concat(hash, signature))
  const known = KEYS.get(name)
  if (known !== undefined) return known.publicKey
  const publicKey = recover(hash, signature)
  KEYS.set(name, { publicKey })
  return publicKey
}

function recover(hash: Uint8Array, signature: Uint8Array): string | undefined {
  try {
    return base64(Signature.recover(hash, signature))
  } catch (error) {
    if (isFirnError(error)) return undefined
    throw error
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '')
}
