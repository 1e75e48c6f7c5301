import { Id, NodeId } from '@firn/codec'
import { Rewards } from '@firn/genesis'
import type { Stakers } from '@firn/store'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import * as Field from '../../http/endpoint/Field.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { address } from './Owner.ts'
import { percent } from './Percent.ts'

const common = {
  txHash: Field.cb58('Id of the transaction that added the delegator'),
  nodeId: Field.nodeId('Validator to which the stake is delegated'),
  rewardAddresses: Field.addresses('Addresses that receive the reward'),
  amountDelegated: Field.nAvax('Delegated stake'),
  delegationFee: Schema.text('Commission of the validator, in percent, as decimal text', '2'),
  startTimestamp: Field.seconds('Start of the delegation', 1_790_000_000),
  endTimestamp: Field.seconds('End of the delegation', 1_800_000_000),
}

const estimates = {
  estimatedGrossReward: Field.nAvax('Expected reward before the commission', '61000000000'),
  estimatedNetReward: Field.nAvax('Expected reward after the commission', '59780000000'),
}

/** A pending, current or past delegation on the Primary Network. */
export const Delegator = Schema.union(
  'DelegatorDetails',
  'A pending, current or past delegation on the Primary Network, distinguished by `delegationStatus`',
  [
    Schema.object('ActiveDelegatorDetails', 'A current delegation', {
      ...common,
      ...estimates,
      delegationStatus: Schema.constant('active', 'Status of the delegation'),
    }),
    Schema.object('PendingDelegatorDetails', 'A delegation that has not started', {
      ...common,
      ...estimates,
      delegationStatus: Schema.constant('pending', 'Status of the delegation'),
    }),
    Schema.object('CompletedDelegatorDetails', 'A delegation that has ended', {
      ...common,
      grossReward: Field.nAvax('Paid reward before the commission', '61000000000'),
      netReward: Field.nAvax('Paid reward after the commission', '59780000000'),
      delegationStatus: Schema.constant('completed', 'Status of the delegation'),
    }),
  ],
)

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
