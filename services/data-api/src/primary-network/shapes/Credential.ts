import { isFirnError } from '@firn/codec'
import { Signature } from '@firn/keys'
import { Type } from 'typebox'
import type { Body } from '../../front/Endpoint.ts'

/** A signature, and the key that made it, both in base64 without padding. */
export const Credential = Type.Object({
  signature: Type.Optional(Type.String()),
  publicKey: Type.Optional(Type.String()),
})

/** The signatures of a credential over a transaction's unsigned bytes. */
export function credentials(signatures: readonly Uint8Array[], unsigned: Uint8Array): Body[] {
  return signatures.map((signature) => ({
    signature: base64(signature),
    publicKey: publicKeyOf(unsigned, signature),
  }))
}

/** Undefined for a signature that is none: genesis and old chains have such. */
function publicKeyOf(unsigned: Uint8Array, signature: Uint8Array): string | undefined {
  try {
    return base64(Signature.recoverMessage(unsigned, signature))
  } catch (error) {
    if (isFirnError(error)) return undefined
    throw error
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '')
}
