import { Id, NodeId } from '@firn/codec'
import { Rewards } from '@firn/genesis'
import type { Stakers } from '@firn/store'
import { Type } from 'typebox'
import type { Body } from '../../front/Endpoint.ts'
import { address } from './Owner.ts'
import { percent } from './Percent.ts'

const common = {
  txHash: Type.String(),
  nodeId: Type.String(),
  rewardAddresses: Type.Array(Type.String()),
  amountDelegated: Type.String(),
  delegationFee: Type.String({ description: 'percent' }),
  startTimestamp: Type.Number(),
  endTimestamp: Type.Number(),
}

const estimates = { estimatedGrossReward: Type.String(), estimatedNetReward: Type.String() }

/** A pending, current or past delegation on the Primary Network. */
export const Delegator = Type.Union([
  Type.Object({ ...common, ...estimates, delegationStatus: Type.Literal('active') }),
  Type.Object({ ...common, ...estimates, delegationStatus: Type.Literal('pending') }),
  Type.Object({
    ...common,
    grossReward: Type.String(),
    netReward: Type.String(),
    delegationStatus: Type.Literal('completed'),
  }),
])

/** Data from which a delegator is formatted. */
export interface DelegatorFacts {
  readonly listed: Stakers.Details
  /** The validator's commission, in millionths. */
  readonly shares: number
  /** Paid, expected or estimated reward before the validator's commission. */
  readonly gross: bigint
}

/** Returns a delegator in the Data API's format. */
export function delegator({ listed, shares, gross }: DelegatorFacts, hrp: string): Body {
  const { txId, nodeId, rewardsOwner, weight, startTime, endTime } = listed.staker
  const net = String(Rewards.split(gross, shares).remainder)
  const amounts =
    listed.end === undefined
      ? { estimatedGrossReward: String(gross), estimatedNetReward: net }
      : { grossReward: String(gross), netReward: net }
  return {
    txHash: Id.format(txId),
    nodeId: NodeId.format(nodeId),
    rewardAddresses: (rewardsOwner?.addresses ?? []).map((one) => address(one, hrp)),
    amountDelegated: String(weight),
    delegationFee: percent(shares),
    startTimestamp: startTime,
    endTimestamp: endTime,
    ...amounts,
    delegationStatus: listed.status,
  }
}
