import { PublicKey, Signature } from '@firn/bls'
import { Payload, UnsignedMessage } from '@firn/warp'
import * as Case from '../Case.ts'
import * as Outcome from '../Outcome.ts'

/** Returns the distinct keys of all validators in a folder's recordings. */
function keysOf(all: readonly Case.RawCase[]): PublicKey.PublicKey[] {
  const keys = new Map<string, Uint8Array>()
  for (const raw of all.filter((other) => Object.hasOwn(other, 'validatorSet'))) {
    for (const validator of Case.records(Case.record(Case.create(raw), 'validatorSet'), 'validators')) {
      keys.set(Case.text(validator, 'publicKeyCompressed'), Case.bytes(validator, 'publicKeyCompressed'))
    }
  }
  return Array.from(keys.values(), (bytes) => PublicKey.decode(bytes))
}

/** Checks that the signature is invalid after flipping one bit of the payload or of the signature. */
function checkFlips(publicKey: PublicKey.PublicKey, message: Uint8Array, signature: Uint8Array): void {
  const flip = (bytes: Uint8Array, offset: number) => bytes.with(offset, (bytes[offset] as number) ^ 1)
  const isMessage = Signature.verify(
    publicKey,
    flip(message, message.length - 1),
    Signature.decode(signature),
  )
  Case.same('verdict after flipping a bit of the message', false, isMessage)
  for (const offset of [0, 40, 95]) {
    const verdict = Case.attempt(() =>
      Signature.verify(publicKey, message, Signature.decode(flip(signature, offset))),
    )
    Case.same(
      `verdict after flipping a bit of byte ${offset} of the signature`,
      false,
      verdict?.value ?? false,
    )
  }
}

/**
 * Checks a node's response. A signature must be valid for exactly one validator, and a payload that the node
 * cannot parse must be rejected here as well.
 */
export function checkAnswerOfNode(it: Case.Case, all: readonly Case.RawCase[]): Outcome.Outcome | undefined {
  const bytes = Case.bytes(it, 'unsigned')
  const message = UnsignedMessage.decode(bytes)
  Case.equals(it, 'unsigned', UnsignedMessage.encode(message))
  const payload = Case.attempt(() => Payload.decode(message.payload))
  if (Case.text(it, 'op') === 'app_response') {
    const signature = Case.bytes(it, 'signature')
    const signer = keysOf(all).find((key) => Signature.verify(key, bytes, Signature.decode(signature)))
    Case.same('signature of a recorded validator', true, signer !== undefined)
    if (signer !== undefined) checkFlips(signer, bytes, signature)
    return undefined
  }
  Case.equals(it, 'op', 'app_error')
  const isMalformed = Case.text(it, 'errorMessage').includes('unknown codec version')
  Case.same('rejection of the payload', isMalformed, payload === undefined)
  return isMalformed ? undefined : Outcome.skipped('the node rejected the message because of its state')
}
