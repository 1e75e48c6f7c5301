import { ProofOfPossession } from '@firn/bls'
import { key } from '../State.ts'
import type { ValidatorKeys } from '../Validator.ts'
import type { Network } from './network.ts'

/** Maximum number of validators for which proofs of possession are created. Each proof takes about 20 ms. */
const MAX_PROOFS = 64

/** Returns a function that returns proofs of possession by NodeID. Each proof is created on first use. */
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
