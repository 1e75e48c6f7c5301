import { ProofOfPossession } from '@firn/bls'
import { key } from '../State.ts'
import type { ValidatorKeys } from '../Validator.ts'
import type { Network } from './network.ts'

/** Making a proof takes some 20 ms; above this many validators none are made. */
const MAX_PROOFS = 64

/** Returns the proofs of these keys' possession by NodeID, each made when first asked for. */
export function createProofs(all: readonly ValidatorKeys[]): Network['proofOfPossession'] {
  if (all.length > MAX_PROOFS) return () => undefined
  const keys = new Map(all.map(({ identity, secretKey }) => [key(identity.nodeId), secretKey]))
  const made = new Map<string, Uint8Array>()
  return (nodeId) => {
    const name = key(nodeId)
    const secretKey = keys.get(name)
    if (secretKey === undefined) return undefined
    const proof = made.get(name) ?? ProofOfPossession.sign(secretKey).compressed
    made.set(name, proof)
    return proof
  }
}
