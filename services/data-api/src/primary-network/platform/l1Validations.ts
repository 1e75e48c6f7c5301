import { Hex, Id, NodeId } from '@firn/codec'
import type { L1ValidatorPages } from '@firn/store'
import type { UnsignedTx } from '@firn/txs'
import { L1Message, Payload, SignedMessage, ValidationId } from '@firn/warp'
import type { Body } from '../../front/Endpoint.ts'

/** The L1 validators that a transaction is about, in its order. */
export function validationIds(tx: UnsignedTx.UnsignedTx): Uint8Array[] {
  switch (tx.type) {
    case 'ConvertSubnetToL1Tx':
      return tx.validators.map((_, index) => ValidationId.initial(tx.subnetID, index))
    case 'RegisterL1ValidatorTx':
    case 'SetL1ValidatorWeightTx':
      return [validationOf(tx.message)]
    case 'IncreaseL1ValidatorBalanceTx':
    case 'DisableL1ValidatorTx':
      return [tx.validationID]
    default:
      return []
  }
}

function validationOf(message: Uint8Array): Uint8Array {
  const payload = Payload.decode(SignedMessage.decode(message).unsigned.payload)
  if (payload.type !== 'AddressedCall') return Id.EMPTY
  const call = L1Message.decode(payload.payload)
  if (call.type === 'L1ValidatorWeight') return call.validationID
  return ValidationId.registered(payload.payload)
}

/** What L1 validators were about the time of transactions. */
export interface L1Facts {
  /** By validation id in hex. */
  readonly versions: ReadonlyMap<string, readonly L1ValidatorPages.Version[]>
  /** Fees charged since Etna, by height. */
  readonly accruedFees: ReadonlyMap<bigint, bigint>
}

/** What the transaction paid into balances of L1 validators, in nAVAX, in the order of {@link validationIDs}. */
export function payments(tx: UnsignedTx.UnsignedTx): bigint[] {
  switch (tx.type) {
    case 'ConvertSubnetToL1Tx':
      return tx.validators.map(({ balance }) => balance)
    case 'RegisterL1ValidatorTx':
    case 'IncreaseL1ValidatorBalanceTx':
      return [tx.balance]
    default:
      return []
  }
}

/**
 * The L1 validators of a transaction as it left them: a removed one has no weight and no balance.
 * @param refund what the transaction returned of a balance, nAVAX
 */
export function l1ValidatorDetails(
  tx: UnsignedTx.UnsignedTx,
  height: bigint,
  { versions, accruedFees }: L1Facts,
  refund: bigint,
): Body[] {
  const paid = payments(tx)
  const fees = accruedFees.get(height) ?? 0n
  return validationIds(tx).flatMap((validationId, i) => {
    const known = versions.get(Hex.encodeBare(validationId)) ?? []
    const version = known.findLast(({ since }) => since <= height)
    if (version === undefined) return []
    const { validator, until } = version
    const isGone = until !== undefined && until <= height
    const isActive = !isGone && validator.endAccumulatedFee > fees
    return [
      {
        validationId: Id.format(validationId),
        validationIdHex: Hex.encode(validationId),
        nodeId: NodeId.format(validator.nodeId),
        subnetId: Id.format(validator.subnetId),
        weight: isGone ? 0n : validator.weight,
        remainingBalance: isActive ? validator.endAccumulatedFee - fees : 0n,
        balanceChange: paid[i] ?? (refund === 0n ? undefined : -refund),
        blsCredentials: { publicKey: Hex.encode(validator.publicKey), ...proofOf(tx, i) },
      },
    ]
  })
}

function proofOf(tx: UnsignedTx.UnsignedTx, index: number): { readonly proofOfPossession?: string } {
  if (tx.type === 'RegisterL1ValidatorTx') return { proofOfPossession: Hex.encode(tx.proofOfPossession) }
  if (tx.type !== 'ConvertSubnetToL1Tx') return {}
  const signer = tx.validators[index]?.signer
  return signer === undefined ? {} : { proofOfPossession: Hex.encode(signer.proofOfPossession) }
}
