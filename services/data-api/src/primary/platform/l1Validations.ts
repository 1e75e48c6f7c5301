import { Hex, Id, NodeId } from '@firn/codec'
import type { L1Validators } from '@firn/store'
import type { UnsignedTx } from '@firn/txs'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import { l1Validators } from './describe.ts'

/** States of L1 validators before and after transactions. */
export interface L1Facts {
  /** Successive states of each L1 validator, by validation id in hex. */
  readonly versions: ReadonlyMap<string, readonly L1Validators.Version[]>
  /** Fees in nAVAX that each active L1 validator has been charged since Etna, by height. */
  readonly accruedFees: ReadonlyMap<bigint, bigint>
}

/**
 * Returns the L1 validators that a transaction affects, in their state after the transaction. A removed
 * validator has no weight and no balance.
 * @param refund balance that the transaction returned to the owner, in nAVAX
 */
export function l1ValidatorDetails(
  tx: UnsignedTx.UnsignedTx,
  height: bigint,
  { versions, accruedFees }: L1Facts,
  refund: bigint,
): Body[] {
  const fees = accruedFees.get(height) ?? 0n
  return l1Validators(tx).flatMap(({ validationId, payment, proofOfPossession }) => {
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
        balanceChange: payment ?? (refund === 0n ? undefined : -refund),
        blsCredentials: {
          publicKey: Hex.encode(validator.publicKey),
          ...(proofOfPossession && { proofOfPossession: Hex.encode(proofOfPossession) }),
        },
      },
    ]
  })
}
