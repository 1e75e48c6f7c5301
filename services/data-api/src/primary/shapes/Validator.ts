import { Id, NodeId } from '@firn/codec'
import type { Stakers } from '@firn/store'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import * as Field from '../../http/endpoint/Field.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import type { Observation } from '../network/Context.ts'
import type { StakerReward } from '../network/stakerRewards.ts'
import { BlsCredentials, blsCredentials } from './L1Validator.ts'
import { address } from './Owner.ts'
import { percent } from './Percent.ts'

const common = {
  txHash: Field.cb58('Id of the transaction that added the validator'),
  nodeId: Field.nodeId('Node of the validator'),
  subnetId: Field.cb58('Subnet that is validated', '11111111111111111111111111111111LpoYY'),
  amountStaked: Schema.text(
    'Stake in nAVAX, as decimal text; on permissioned subnets the weight',
    '2000000000000',
  ),
  delegationFee: Schema.optional(
    Schema.text('Commission on the rewards of delegators, in percent, as decimal text', '2'),
  ),
  startTimestamp: Field.seconds('Start of the validation', 1_790_000_000),
  endTimestamp: Field.seconds('End of the validation', 1_800_000_000),
  blsCredentials: Schema.optional(Schema.as(BlsCredentials, 'BLS public key of the validator')),
}

/**
 * Placeholder for facts that only a node can observe. Answers contain it if no configured node has reported the fact.
 */
export const UNKNOWN = -1

const observed = (what: string, example: number) => Schema.number(`${what}; −1 if unknown`, example)

const Rewards = Schema.object('Rewards', 'Rewards of a validator', {
  validationRewardAmount: Field.nAvax('Reward for the own stake', '61000000000'),
  delegationRewardAmount: Field.nAvax(
    'Commission on the rewards of delegators, which is paid together with the own reward',
    '1220000000',
  ),
  rewardAddresses: Schema.optional(Field.addresses('Addresses that receive the reward')),
  rewardTxHash: Schema.optional(Field.cb58('Id of the transaction that paid the reward')),
})

const ActiveValidator = Schema.object('ActiveValidatorDetails', 'A current validator', {
  ...common,
  stakePercentage: Field.percent('Share of the total stake of the subnet, including delegations', 0.25),
  delegatorCount: Field.count('Number of current delegators'),
  amountDelegated: Schema.optional(Field.nAvax('Delegated stake', '500000000000')),
  uptimePerformance: observed('Uptime in percent, as the node of this service observed it', 99.5),
  avalancheGoVersion: Schema.optional(
    Schema.text('Version that the node reported to its peers', 'avalanchego/1.14.0'),
  ),
  delegationCapacity: Schema.optional(Field.nAvax('Remaining capacity for delegations', '7500000000000')),
  potentialRewards: Schema.as(Rewards, 'Rewards that are paid if the validator stays online'),
  validationStatus: Schema.constant('active', 'Status of the validation'),
  validatorHealth: Schema.object(
    'ValidatorHealthDetails',
    'Observations of a validator by the node of this service',
    {
      reachabilityPercent: observed('100 if the node is connected to the validator, otherwise 0', 100),
      benchedPChainRequestsPercent: observed(
        '100 if the node benched the validator on the P-chain, otherwise 0',
        0,
      ),
      benchedXChainRequestsPercent: observed(
        '100 if the node benched the validator on the X-chain, otherwise 0',
        0,
      ),
      benchedCChainRequestsPercent: observed(
        '100 if the node benched the validator on the C-chain, otherwise 0',
        0,
      ),
    },
  ),
  geolocation: Schema.nothing('Always null, because the location of nodes is unknown'),
})

const PendingValidator = Schema.object('PendingValidatorDetails', 'A validator that has not started', {
  ...common,
  validationStatus: Schema.constant('pending', 'Status of the validation'),
})

const CompletedValidator = Schema.object('CompletedValidatorDetails', 'A validator whose period has ended', {
  ...common,
  delegatorCount: Field.count('Number of delegators over the whole period'),
  amountDelegated: Schema.optional(Field.nAvax('Delegated stake over the whole period', '500000000000')),
  rewards: Schema.as(Rewards, 'Paid rewards'),
  validationStatus: Schema.constant('completed', 'Status of the validation'),
})

const RemovedValidator = Schema.object(
  'RemovedValidatorDetails',
  'A validator that was removed from a permissioned subnet',
  {
    ...common,
    removeTxHash: Field.cb58('Id of the transaction that removed the validator'),
    removeTimestamp: Field.seconds('Time of the removal'),
    validationStatus: Schema.constant('removed', 'Status of the validation'),
  },
)

/** A pending, current or past validator of the Primary Network or of a subnet that is not an L1. */
export const Validator = Schema.union(
  'ValidatorDetails',
  'A pending, current or past validator of the Primary Network or of a subnet that is not an L1, distinguished by `validationStatus`',
  [ActiveValidator, PendingValidator, CompletedValidator, RemovedValidator],
)

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
