import { Id, NodeId } from '@firn/codec'
import type { Stakers } from '@firn/store'
import { Type } from 'typebox'
import type { Observation } from '../../Context.ts'
import type { Body } from '../../front/Endpoint.ts'
import type { StakerReward } from '../stakerRewards.ts'
import { BlsCredentials, blsCredentials } from './L1Validator.ts'
import { address } from './Owner.ts'
import { percent } from './Percent.ts'

const common = {
  txHash: Type.String(),
  nodeId: Type.String(),
  subnetId: Type.String(),
  amountStaked: Type.String({ description: 'stake in nAVAX; the weight on permissioned subnets' }),
  delegationFee: Type.Optional(Type.String({ description: 'percent' })),
  startTimestamp: Type.Number(),
  endTimestamp: Type.Number(),
  blsCredentials: Type.Optional(BlsCredentials),
}

/**
 * Placeholder for facts that only a node can observe. Answers contain it if no configured node has reported the fact.
 */
export const UNKNOWN = -1

const observed = (what: string) => Type.Number({ description: `${what}; −1 if unknown` })

const Rewards = Type.Object({
  validationRewardAmount: Type.String(),
  delegationRewardAmount: Type.String({
    description: 'the validator’s commission on delegators’ rewards, paid together with its own reward',
  }),
  rewardAddresses: Type.Optional(Type.Array(Type.String())),
  rewardTxHash: Type.Optional(Type.String()),
})

const ActiveValidator = Type.Object({
  ...common,
  stakePercentage: Type.Number({
    description: 'percentage of the subnet’s total stake, including delegations',
  }),
  delegatorCount: Type.Number(),
  amountDelegated: Type.Optional(Type.String()),
  uptimePerformance: observed('uptime in percent, as observed by this service’s node'),
  avalancheGoVersion: Type.Optional(
    Type.String({ description: 'version that the node reported to its peers' }),
  ),
  delegationCapacity: Type.Optional(
    Type.String({ description: 'remaining capacity for delegations, in nAVAX' }),
  ),
  potentialRewards: Rewards,
  validationStatus: Type.Literal('active'),
  validatorHealth: Type.Object({
    reachabilityPercent: observed('100 if this service’s node is connected to the validator, otherwise 0'),
    benchedPChainRequestsPercent: observed(
      '100 if this service’s node benched the validator on the P-chain, otherwise 0',
    ),
    benchedXChainRequestsPercent: observed(
      '100 if this service’s node benched the validator on the X-chain, otherwise 0',
    ),
    benchedCChainRequestsPercent: observed(
      '100 if this service’s node benched the validator on the C-chain, otherwise 0',
    ),
  }),
  geolocation: Type.Null({ description: 'unknown' }),
})

const PendingValidator = Type.Object({ ...common, validationStatus: Type.Literal('pending') })

const CompletedValidator = Type.Object({
  ...common,
  delegatorCount: Type.Number({ description: 'over the whole staking period' }),
  amountDelegated: Type.Optional(Type.String({ description: 'over the whole staking period' })),
  rewards: Rewards,
  validationStatus: Type.Literal('completed'),
})

const RemovedValidator = Type.Object({
  ...common,
  removeTxHash: Type.String(),
  removeTimestamp: Type.Number(),
  validationStatus: Type.Literal('removed'),
})

/** A pending, current or past validator of the Primary Network or of a subnet that is not an L1. */
export const Validator = Type.Union([ActiveValidator, PendingValidator, CompletedValidator, RemovedValidator])

/** Data from which a validator is formatted. */
export interface ValidatorFacts {
  readonly listed: Stakers.Details
  readonly delegated: Stakers.Delegated
  /** Percentage of the subnet's total stake. */
  readonly stakePercentage: number
  /** Stake that the validator can still accept from delegators; undefined if it accepts none. */
  readonly capacity: bigint | undefined
  readonly reward: StakerReward | undefined
  readonly observation: Observation | undefined
}

/** Returns a validator in the Data API's format. */
export function validator(facts: ValidatorFacts, hrp: string): Body {
  const { listed } = facts
  const { txId, nodeId, subnetId, weight, startTime, endTime, signer, kind, shares } = listed.staker
  const own = {
    txHash: Id.format(txId),
    nodeId: NodeId.format(nodeId),
    subnetId: Id.format(subnetId),
    amountStaked: String(weight),
    delegationFee: kind === 'permissioned' ? undefined : percent(shares),
    startTimestamp: startTime,
    endTimestamp: endTime,
    blsCredentials: signer && blsCredentials(signer),
    validationStatus: listed.status,
  }
  switch (listed.status) {
    case 'pending':
      return own
    case 'removed':
      return {
        ...own,
        removeTxHash: listed.removedBy && Id.format(listed.removedBy),
        removeTimestamp: listed.end?.time,
      }
    case 'completed':
      return { ...own, ...delegations(facts), rewards: rewards(facts, hrp) }
    case 'active':
      return { ...own, ...delegations(facts), ...active(facts, hrp) }
  }
}

function delegations({ listed, delegated }: ValidatorFacts) {
  const canBe = listed.staker.kind !== 'permissioned'
  return { delegatorCount: delegated.count, amountDelegated: canBe ? String(delegated.weight) : undefined }
}

function active(facts: ValidatorFacts, hrp: string) {
  const { stakePercentage, capacity, observation } = facts
  const yes = (is: boolean | undefined) => (is === undefined ? UNKNOWN : is ? 100 : 0)
  return {
    stakePercentage,
    uptimePerformance: observation?.uptime ?? UNKNOWN,
    avalancheGoVersion: observation?.version,
    delegationCapacity: capacity === undefined ? undefined : String(capacity),
    potentialRewards: rewards(facts, hrp),
    validatorHealth: {
      reachabilityPercent: yes(observation?.isConnected),
      benchedPChainRequestsPercent: yes(observation?.benched.includes('P')),
      benchedXChainRequestsPercent: yes(observation?.benched.includes('X')),
      benchedCChainRequestsPercent: yes(observation?.benched.includes('C')),
    },
    geolocation: null,
  }
}

/**
 * Returns the expected rewards of an active validator, or the paid rewards of a completed one. The commission of an
 * active validator includes only delegators that have already left.
 */
function rewards({ listed, reward }: ValidatorFacts, hrp: string) {
  const { potentialReward, delegateeReward, rewardsOwner } = listed.staker
  const { own, fee } =
    listed.end === undefined ? { own: potentialReward, fee: delegateeReward } : (reward ?? NOTHING)
  return {
    validationRewardAmount: String(own),
    delegationRewardAmount: String(fee),
    rewardAddresses: rewardsOwner?.addresses.map((one) => address(one, hrp)),
    rewardTxHash: reward && Id.format(reward.txId),
  }
}

const NOTHING = { own: 0n, fee: 0n }
