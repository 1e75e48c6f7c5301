import { Hex, Id, NodeId } from '@firn/codec'
import type { L1Validators } from '@firn/store'
import type { Signer } from '@firn/txs'
import { Type } from 'typebox'
import type { Body } from '../../front/Endpoint.ts'
import { L1Owner, l1Owner } from './Owner.ts'

/** A BLS public key, with the proof of possession if a transaction contains it. */
export const BlsCredentials = Type.Object({
  publicKey: Type.String(),
  proofOfPossession: Type.Optional(Type.String()),
})

/** Returns a BLS public key and its proof of possession in the Data API's format. */
export function blsCredentials({ publicKey, proofOfPossession }: Signer.ProofOfPossession): Body {
  return { publicKey: Hex.encode(publicKey), proofOfPossession: Hex.encode(proofOfPossession) }
}

/** An L1 validator. Balances are in nAVAX. */
export const L1Validator = Type.Object({
  validationId: Type.String(),
  validationIdHex: Type.String(),
  nodeId: Type.String(),
  subnetId: Type.String(),
  weight: Type.Number(),
  remainingBalance: Type.Number(),
  creationTimestamp: Type.Number(),
  blsCredentials: BlsCredentials,
  remainingBalanceOwner: L1Owner,
  deactivationOwner: L1Owner,
})

/** Returns an L1 validator in the Data API's format. A removed validator has no weight and no balance. */
export function l1Validator(
  { validator, isRemoved }: L1Validators.Details,
  accruedFees: bigint,
  hrp: string,
): Body {
  const { validationId, endAccumulatedFee } = validator
  const isActive = !isRemoved && endAccumulatedFee > accruedFees
  return {
    validationId: Id.format(validationId),
    validationIdHex: Hex.encode(validationId),
    nodeId: NodeId.format(validator.nodeId),
    subnetId: Id.format(validator.subnetId),
    weight: isRemoved ? 0n : validator.weight,
    remainingBalance: isActive ? endAccumulatedFee - accruedFees : 0n,
    creationTimestamp: validator.startTime,
    blsCredentials: { publicKey: Hex.encode(validator.publicKey) },
    remainingBalanceOwner: l1Owner(validator.remainingBalanceOwner, hrp),
    deactivationOwner: l1Owner(validator.deactivationOwner, hrp),
  }
}
