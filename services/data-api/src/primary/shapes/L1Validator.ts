import { Hex, Id, NodeId } from '@firn/codec'
import type { L1Validators } from '@firn/store'
import type { Signer } from '@firn/txs'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import * as Field from '../../http/endpoint/Field.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { L1Owner, l1Owner } from './Owner.ts'

/** A BLS public key, with the proof of possession if a transaction contains it. */
export const BlsCredentials = Schema.object('BlsCredentials', 'A BLS public key', {
  publicKey: Field.hex('Compressed public key of 48 bytes', '0x8a7c1f3b'),
  proofOfPossession: Schema.optional(
    Field.hex('Proof of possession of 96 bytes, if a transaction contains it', '0xb2d1c5e9'),
  ),
})

/** Returns a BLS public key and its proof of possession in the Data API's format. */
export function blsCredentials({ publicKey, proofOfPossession }: Signer.ProofOfPossession): Body {
  return { publicKey: Hex.encode(publicKey), proofOfPossession: Hex.encode(proofOfPossession) }
}

/** An L1 validator. Balances are in nAVAX. */
export const L1Validator = Schema.object('L1ValidatorDetailsFull', 'An L1 validator', {
  validationId: Field.cb58('Id of the validation'),
  validationIdHex: Field.hash('Id of the validation'),
  nodeId: Field.nodeId('Node of the validator'),
  subnetId: Field.cb58('Subnet of the L1'),
  weight: Schema.integer('Weight of the validator; 0 after its removal', 100),
  remainingBalance: Schema.integer('Remaining balance for fees, in nAVAX; 0 if inactive', 99_500_000),
  creationTimestamp: Field.seconds('Time at which the validator was registered'),
  blsCredentials: Schema.as(BlsCredentials, 'BLS public key of the validator'),
  remainingBalanceOwner: Schema.as(L1Owner, 'Owner who receives the remaining balance'),
  deactivationOwner: Schema.as(L1Owner, 'Owner who may disable the validator'),
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
