import type { MethodLayouts } from '../Layout.ts'
import * as Layout from '../Layout.ts'
import { Signer } from './Signer.ts'

const subnet = Layout.struct({ subnetID: Layout.optional(Layout.id) })

/**
 * Owners of an output. After `locktime` (Unix seconds), `threshold` of the addresses must sign to spend it.
 */
export const Owner = Layout.struct({
  locktime: Layout.u64,
  threshold: Layout.u32,
  addresses: Layout.array(Layout.address),
})

const stakerMembers = {
  txID: Layout.id,
  startTime: Layout.u64,
  endTime: Layout.u64,
  weight: Layout.u64,
  nodeID: Layout.nodeId,
} as const

/**
 * A validator of a permissioned subnet. After the conversion of the subnet into an L1, such validators remain until
 * their period ends. Times are in Unix seconds.
 */
export const SubnetValidator = Layout.struct(stakerMembers)

const l1ValidatorMembers = {
  nodeID: Layout.nodeId,
  weight: Layout.u64,
  startTime: Layout.u64,
  validationID: Layout.id,
  publicKey: Layout.hex(48),
  remainingBalanceOwner: Owner,
  deactivationOwner: Owner,
  minNonce: Layout.u64,
  balance: Layout.u64,
} as const

/**
 * A validator of an L1. `balance` (nAVAX) is 0 if the validator is inactive. `minNonce` is the highest used
 * nonce plus 1.
 */
export const L1Validator = Layout.struct(l1ValidatorMembers)

/** A delegation. `weight` and `potentialReward` are in nAVAX. */
export const Delegator = Layout.struct({ ...stakerMembers, rewardOwner: Owner, potentialReward: Layout.u64 })

/** A validator of the Primary Network or of an elastic subnet. */
export const PrimaryValidator = Layout.struct({
  ...stakerMembers,
  validationRewardOwner: Layout.optional(Owner),
  delegationRewardOwner: Layout.optional(Owner),
  potentialReward: Layout.u64,
  accruedDelegateeReward: Layout.optional(Layout.u64),
  delegationFee: Layout.optional(Layout.fixed4),
  uptime: Layout.optional(Layout.fixed4),
  connected: Layout.optional(Layout.boolean),
  signer: Layout.optional(Signer),
  validatorAuthority: Layout.optional(Owner),
  nextPeriod: Layout.optional(Layout.u64),
  autoCompoundRewardShares: Layout.optional(Layout.u32),
  delegatorCount: Layout.optional(Layout.u64),
  delegatorWeight: Layout.optional(Layout.u64),
  delegators: Layout.optional(Layout.array(Delegator)),
})

/**
 * An entry of `platform.getCurrentValidators`: an {@link L1Validator} if it has the member `validationID`, a {@link
 * PrimaryValidator} if it has `potentialReward`, otherwise a {@link SubnetValidator}.
 */
export const CurrentValidator = Layout.byMember({
  validationID: L1Validator,
  potentialReward: PrimaryValidator,
  '': SubnetValidator,
})

/**
 * The validators of a subnet that have BLS keys, in canonical order. `totalWeight` includes validators
 * without a key.
 */
export const WarpSet = Layout.struct({
  validators: Layout.array(
    Layout.struct({
      publicKey: Layout.hex(48),
      weight: Layout.u64,
      nodeIDs: Layout.array(Layout.nodeId),
    }),
  ),
  totalWeight: Layout.u64,
})

/** The P-chain's methods for validators, delegators and their stakes; part of {@link PlatformMethods}. */
export const PlatformStakingMethods = {
  'platform.getAllValidatorsAt': {
    params: Layout.struct({ height: Layout.height }),
    result: Layout.struct({ validatorSets: Layout.map(Layout.id, WarpSet) }),
  },
  'platform.getValidatorsAt': {
    params: Layout.struct({ height: Layout.height, subnetID: Layout.optional(Layout.id) }),
    result: Layout.map(
      Layout.nodeId,
      Layout.struct({ publicKey: Layout.nullable(Layout.hex(48)), weight: Layout.u64 }),
    ),
  },
  /** Returns current validators. Delegators are listed only if exactly one NodeID is given. */
  'platform.getCurrentValidators': {
    params: Layout.struct({
      subnetID: Layout.optional(Layout.id),
      nodeIDs: Layout.optional(Layout.array(Layout.nodeId)),
    }),
    result: Layout.struct({ validators: Layout.array(CurrentValidator) }),
  },
  'platform.getL1Validator': {
    params: Layout.struct({ validationID: Layout.id }),
    result: Layout.struct({ ...l1ValidatorMembers, subnetID: Layout.id, height: Layout.u64 }),
  },
  /**
   * Returns validators sampled by weight, sorted by the bytes of their NodeIDs. A validator may occur several
   * times.
   */
  'platform.sampleValidators': {
    params: Layout.struct({ size: Layout.u16, subnetID: Layout.optional(Layout.id) }),
    result: Layout.struct({ validators: Layout.array(Layout.nodeId) }),
  },
  'platform.getCurrentSupply': {
    params: subnet,
    result: Layout.struct({ supply: Layout.u64, height: Layout.u64 }),
  },
  /**
   * Returns the total stake. Both members of the result contain the total weight of all validators and
   * delegators.
   */
  'platform.getTotalStake': {
    params: subnet,
    result: Layout.struct({ stake: Layout.u64, weight: Layout.u64 }),
  },
  'platform.getMinStake': {
    params: subnet,
    result: Layout.struct({ minValidatorStake: Layout.u64, minDelegatorStake: Layout.u64 }),
  },
  'platform.getStakingAssetID': { params: subnet, result: Layout.struct({ assetID: Layout.id }) },
  /**
   * Returns the staked amounts by asset. Also returns the staked outputs in the order in which their stakers'
   * periods end.
   */
  'platform.getStake': {
    params: Layout.struct({
      addresses: Layout.optional(Layout.array(Layout.string)),
      validatorsOnly: Layout.optional(Layout.boolean),
      encoding: Layout.optional(Layout.encoding),
    }),
    result: Layout.struct({
      staked: Layout.u64,
      stakeds: Layout.map(Layout.id, Layout.u64),
      stakedOutputs: Layout.array(Layout.string),
      encoding: Layout.encoding,
    }),
  },
  'platform.getRewardUTXOs': {
    params: Layout.struct({ txID: Layout.id, encoding: Layout.optional(Layout.encoding) }),
    result: Layout.struct({
      numFetched: Layout.u64,
      utxos: Layout.array(Layout.string),
      encoding: Layout.encoding,
    }),
  },
} satisfies MethodLayouts
