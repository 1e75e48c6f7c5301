import { PublicKey } from '@firn/bls'
import { Bytes } from '@firn/codec'
import type { ValidatorSet } from '@firn/warp'

type Validator = ValidatorSet.CanonicalValidator

/** Returns whether two sets have the same keys, weights and nodes at the same indices, and the same total weight. */
export function areEqual(a: ValidatorSet.ValidatorSet, b: ValidatorSet.ValidatorSet): boolean {
  if (a === b) return true
  if (a.totalWeight !== b.totalWeight || a.validators.length !== b.validators.length) return false
  return a.validators.every((validator, index) => isSame(validator, b.validators[index] as Validator))
}

function isSame(a: Validator, b: Validator): boolean {
  if (a.weight !== b.weight || a.nodeIds.length !== b.nodeIds.length) return false
  // Decoded keys are cached, so equal keys are usually one object.
  if (a.publicKey !== b.publicKey && PublicKey.compare(a.publicKey, b.publicKey) !== 0) return false
  return a.nodeIds.every((nodeId, place) => Bytes.equals(nodeId, b.nodeIds[place] as Uint8Array))
}
