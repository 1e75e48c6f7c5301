import type { Json } from '@firn/codec'
import { Signer } from './InfoMethods.ts'
import type { MethodTable } from './MethodTable.ts'
import * as Schema from './Schema.ts'

const none = Schema.struct({})
const subnet = Schema.struct({ subnetID: Schema.optional(Schema.id) })
/** A transaction: text for the hex encodings (with checksum unless hexnc), an object for json. */
const tx: Schema.Schema<Json.Json> = Schema.json
const heightResult = Schema.struct({ height: Schema.u64 })

/** Who may spend or decide: `threshold` of these addresses, after `locktime` (Unix seconds). */
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

/** A validator of a permissioned subnet, or one from before a subnet became an L1. Times are Unix seconds. */
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

/** A validator of an L1; `balance` (nAVAX) is 0 when it is inactive, `minNonce` the highest used nonce + 1. */
export const L1Validator = Schema.struct(l1ValidatorMembers)

/** A delegation; `weight` and `potentialReward` in nAVAX. */
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

/** One entry of `platform.getCurrentValidators`: tell the shapes apart by `validationID` and `potentialReward`. */
export const CurrentValidator = Schema.byMember({
  validationID: L1Validator,
  potentialReward: PrimaryValidator,
  '': SubnetValidator,
})

/** A {@link CurrentValidator}'s value. */
export type CurrentValidator = Schema.Infer<typeof CurrentValidator>

/** A subnet's validators with keys in canonical order; `totalWeight` counts those without a key too. */
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

/** A {@link WarpSet}'s value. */
export type WarpSet = Schema.Infer<typeof WarpSet>

/** Who owns a subnet and what it became. `conversionID` is the empty id unless the subnet is an L1. */
export const Subnet = Schema.struct({
  isPermissioned: Schema.boolean,
  controlKeys: Schema.array(Schema.address),
  threshold: Schema.u32,
  locktime: Schema.u64,
  subnetTransformationTxID: Schema.id,
  conversionID: Schema.id,
  managerChainID: Schema.id,
  managerAddress: Schema.nullable(Schema.hex()),
})

/** The P-chain API of a node, served at `/ext/bc/P` and `/ext/P`. */
export const PlatformMethods = {
  'platform.getHeight': { params: none, result: heightResult },
  'platform.getProposedHeight': { params: none, result: heightResult },
  'platform.getTimestamp': { params: none, result: Schema.struct({ timestamp: Schema.time }) },
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
  'platform.getSubnet': { params: Schema.struct({ subnetID: Schema.id }), result: Subnet },
  'platform.validatedBy': {
    params: Schema.struct({ blockchainID: Schema.id }),
    result: Schema.struct({ subnetID: Schema.id }),
  },
  'platform.validates': {
    params: subnet,
    result: Schema.struct({ blockchainIDs: Schema.array(Schema.id) }),
  },
  'platform.getBlockchains': {
    params: none,
    result: Schema.struct({
      blockchains: Schema.array(
        Schema.struct({ id: Schema.id, name: Schema.string, subnetID: Schema.id, vmID: Schema.id }),
      ),
    }),
  },
  'platform.getTx': {
    params: Schema.struct({ txID: Schema.id, encoding: Schema.optional(Schema.encoding) }),
    result: Schema.struct({ tx, encoding: Schema.encoding }),
  },
  'platform.getTxStatus': {
    params: Schema.struct({ txID: Schema.id }),
    result: Schema.struct({
      status: Schema.oneOf('Committed', 'Aborted', 'Processing', 'Dropped', 'Unknown'),
      reason: Schema.optional(Schema.string),
    }),
  },
} satisfies MethodTable
