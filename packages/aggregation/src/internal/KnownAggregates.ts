import { Hex } from '@firn/codec'
import type { ValidatorSet } from '@firn/warp'

/** Maximum number of aggregate signatures kept for one validator set. */
const MAX_PER_SET = 512

/**
 * Aggregate signatures that have been verified. The keys of the signers and the message determine a valid aggregate
 * signature, so it need not be added and verified again when the message is requested again.
 */
const known = new WeakMap<ValidatorSet.ValidatorSet, Map<string, Uint8Array>>()

/** What determines an aggregate signature. */
export interface Signed {
  readonly validatorSet: ValidatorSet.ValidatorSet
  readonly messageId: Uint8Array
  /** The encoded bit set of the signers' canonical indices. */
  readonly signers: Uint8Array
}

/** Returns the verified aggregate signature (96 bytes), or undefined if it is not known. */
export function find(signed: Signed): Uint8Array | undefined {
  return known.get(signed.validatorSet)?.get(nameOf(signed))
}

/** Keeps a verified aggregate signature, and drops the oldest one if there are too many. */
export function add(signed: Signed, aggregate: Uint8Array): void {
  const ofSet = known.get(signed.validatorSet) ?? new Map<string, Uint8Array>()
  known.set(signed.validatorSet, ofSet)
  ofSet.set(nameOf(signed), aggregate)
  const oldest = ofSet.keys().next()
  if (ofSet.size > MAX_PER_SET && oldest.done !== true) ofSet.delete(oldest.value)
}

function nameOf({ messageId, signers }: Signed): string {
  return `${Hex.encodeBare(messageId)}${Hex.encodeBare(signers)}`
}
