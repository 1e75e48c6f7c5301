import type { MethodTable } from './MethodTable.ts'
import * as Schema from './Schema.ts'
import { Signer } from './Signer.ts'

const subnet = Schema.struct({ subnetID: Schema.optional(Schema.id) })

/**
 * Owners of an output. After `locktime` (Unix seconds), `threshold` of the addresses must sign to spend it.
 */
export const Owner = Schema.struct({
  locktime: Schema.u64,
  threshold: Schema.u32,
  addresses: Schema.array(Schema.address),
})

const stakerMembers = {
  txID: Schema.id,
  startTime: Schema.u64,
  endTime: Schema.u64,
  weight: Schema.u64,
  nodeID: Schema.nodeId,
} as const

/**
 * A validator of a permissioned subnet. After the conversion of the subnet into an L1, such validators remain until
 * their period ends. Times are in Unix seconds.
 */
export const SubnetValidator = Schema.struct(stakerMembers)

const l1ValidatorMembers = {
  nodeID: Schema.nodeId,
  weight: Schema.u64,
  startTime: Schema.u64,
  validationID: Schema.id,
  publicKey: Schema.hex(48),
  remainingBalanceOwner: Owner,
  deactivationOwner: Owner,
  minNonce: Schema.u64,
  balance: Schema.u64,
} as const

/**
 * A validator of an L1. `balance` (nAVAX) is 0 if the validator is inactive. `minNonce` is the highest used
 * nonce plus 1.
 */
export const L1Validator = Schema.struct(l1ValidatorMembers)

/** A delegation. `weight` and `potentialReward` are in nAVAX. */
export const Delegator = Schema.struct({ ...stakerMembers, rewardOwner: Owner, potentialReward: Schema.u64 })

/** A validator of the Primary Network or of an elastic subnet. */
export const PrimaryValidator = Schema.struct({
  ...stakerMembers,
  validationRewardOwner: Schema.optional(Owner),
  delegationRewardOwner: Schema.optional(Owner),
  potentialReward: Schema.u64,
  accruedDelegateeReward: Schema.optional(Schema.u64),
  delegationFee: Schema.optional(Schema.fixed4),
  uptime: Schema.optional(Schema.fixed4),
  connected: Schema.optional(Schema.boolean),
  signer: Schema.optional(Signer),
  validatorAuthority: Schema.optional(Owner),
  nextPeriod: Schema.optional(Schema.u64),
  autoCompoundRewardShares: Schema.optional(Schema.u32),
  delegatorCount: Schema.optional(Schema.u64),
  delegatorWeight: Schema.optional(Schema.u64),
  delegators: Schema.optional(Schema.array(Delegator)),
})

/**
 * An entry of `platform.getCurrentValidators`: an {@link L1Validator} if it has the member `validationID`, a {@link
 * PrimaryValidator} if it has `potentialReward`, otherwise a {@link SubnetValidator}.
 */
export const CurrentValidator = Schema.byMember({
  validationID: L1Validator,
  potentialReward: PrimaryValidator,
  '': SubnetValidator,
})

/** The TypeScript type of {@link CurrentValidator}. */
export type CurrentValidator = Schema.Infer<typeof CurrentValidator>

/**
 * The validators of a subnet that have BLS keys, in canonical order. `totalWeight` includes validators
 * without a key.
 */
export const WarpSet = Schema.struct({
  validators: Schema.array(
    Schema.struct({
      publicKey: Schema.hex(48),
      weight: Schema.u64,
      nodeIDs: Schema.array(Schema.nodeId),
    }),
  ),
  totalWeight: Schema.u64,
})

/** The TypeScript type of {@link WarpSet}. */
export type WarpSet = Schema.Infer<typeof WarpSet>

/** The P-chain's methods for validators, delegators and their stakes; part of {@link PlatformMethods}. */
export const PlatformStakingMethods = {
  'platform.getAllValidatorsAt': {
    params: Schema.struct({ height: Schema.height }),
    result: Schema.struct({ validatorSets: Schema.map(Schema.id, WarpSet) }),
  },
  'platform.getValidatorsAt': {
    params: Schema.struct({ height: Schema.height, subnetID: Schema.optional(Schema.id) }),
    result: Schema.map(
      Schema.nodeId,
      Schema.struct({ publicKey: Schema.nullable(Schema.hex(48)), weight: Schema.u64 }),
    ),
  },
  /** Returns current validators. Delegators are listed only if exactly one NodeID is given. */
  'platform.getCurrentValidators': {
    params: Schema.struct({
      subnetID: Schema.optional(Schema.id),
      nodeIDs: Schema.optional(Schema.array(Schema.nodeId)),
    }),
    result: Schema.struct({ validators: Schema.array(CurrentValidator) }),
  },
  'platform.getL1Validator': {
    params: Schema.struct({ validationID: Schema.id }),
    result: Schema.struct({ ...l1ValidatorMembers, subnetID: Schema.id, height: Schema.u64 }),
  },
  /**
   * Returns validators sampled by weight, sorted by the bytes of their NodeIDs. A validator may occur several
   * times.
   */
  'platform.sampleValidators': {
    params: Schema.struct({ size: Schema.u16, subnetID: Schema.optional(Schema.id) }),
    result: Schema.struct({ validators: Schema.array(Schema.nodeId) }),
  },
  'platform.getCurrentSupply': {
    params: subnet,
    result: Schema.struct({ supply: Schema.u64, height: Schema.u64 }),
  },
  /**
   * Returns the total stake. Both members of the result contain the total weight of all validators and
   * delegators.
   */
  'platform.getTotalStake': {
    params: subnet,
    result: Schema.struct({ stake: Schema.u64, weight: Schema.u64 }),
  },
  'platform.getMinStake': {
    params: subnet,
    result: Schema.struct({ minValidatorStake: Schema.u64, minDelegatorStake: Schema.u64 }),
  },
  'platform.getStakingAssetID': { params: subnet, result: Schema.struct({ assetID: Schema.id }) },
  /**
   * Returns the staked amounts by asset. Also returns the staked outputs in the order in which their stakers'
   * periods end.
   */
  'platform.getStake': {
    params: Schema.struct({
      addresses: Schema.optional(Schema.array(Schema.string)),
      validatorsOnly: Schema.optional(Schema.boolean),
      encoding: Schema.optional(Schema.encoding),
    }),
    result: Schema.struct({
      staked: Schema.u64,
      stakeds: Schema.map(Schema.id, Schema.u64),
      stakedOutputs: Schema.array(Schema.string),
      encoding: Schema.encoding,
    }),
  },
  'platform.getRewardUTXOs': {
    params: Schema.struct({ txID: Schema.id, encoding: Schema.optional(Schema.encoding) }),
    result: Schema.struct({
      numFetched: Schema.u64,
      utxos: Schema.array(Schema.string),
      encoding: Schema.encoding,
    }),
  },
} satisfies MethodTable
