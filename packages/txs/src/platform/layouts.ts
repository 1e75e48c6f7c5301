import * as Codec from '@firn/codec/Codec'
import { ProofOfPossession, Signer } from './Signer.ts'
import { In, Out } from './Stakeable.ts'
import * as StakerTx from './StakerTx.ts'
import { Authorization } from './Verifiable.ts'

const { base, Owner } = StakerTx

/** Layout of the transaction that transfers assets within the P-chain. */
export const BaseTx = Codec.struct(base)

/** Layout of the transaction that creates a blockchain on a subnet. */
export const CreateChainTx = Codec.struct({
  ...base,
  subnetID: Codec.id,
  chainName: Codec.string,
  vmID: Codec.id,
  fxIDs: Codec.array(Codec.id),
  genesisData: Codec.bytes({ json: 'base64' }),
  subnetAuthorization: Authorization,
})

/** Layout of the transaction that creates a subnet. The subnet's id is the transaction's id. */
export const CreateSubnetTx = Codec.struct({ ...base, owner: Owner })

/** Layout of the transaction that imports assets from another chain. */
export const ImportTx = Codec.struct({ ...base, sourceChain: Codec.id, importedInputs: Codec.array(In) })

/** Layout of the transaction that exports assets to another chain. */
export const ExportTx = Codec.struct({
  ...base,
  destinationChain: Codec.id,
  exportedOutputs: Codec.array(Out),
})

/** Layout of the proposal of a new chain time (before Banff). */
export const AdvanceTimeTx = Codec.struct({ time: Codec.u64 })

/** Layout of the proposal to reward and remove the staker that the transaction `txID` added. */
export const RewardValidatorTx = Codec.struct({ txID: Codec.id })

/** Layout of the transaction that removes a validator from a permissioned subnet. */
export const RemoveSubnetValidatorTx = Codec.struct({
  ...base,
  nodeID: Codec.nodeId,
  subnetID: Codec.id,
  subnetAuthorization: Authorization,
})

/**
 * Layout of the transaction that makes a permissioned subnet permissionless, with its own staking asset
 * (since Banff, refused since Etna).
 */
export const TransformSubnetTx = Codec.struct({
  ...base,
  subnetID: Codec.id,
  assetID: Codec.id,
  initialSupply: Codec.u64,
  maximumSupply: Codec.u64,
  minConsumptionRate: Codec.u64,
  maxConsumptionRate: Codec.u64,
  minValidatorStake: Codec.u64,
  maxValidatorStake: Codec.u64,
  minStakeDuration: Codec.u32,
  maxStakeDuration: Codec.u32,
  minDelegationFee: Codec.u32,
  minDelegatorStake: Codec.u64,
  maxValidatorWeightFactor: Codec.u8,
  uptimeRequirement: Codec.u32,
  subnetAuthorization: Authorization,
})

/** Layout of the transaction that transfers a permissioned subnet to a new owner. */
export const TransferSubnetOwnershipTx = Codec.struct({
  ...base,
  subnetID: Codec.id,
  subnetAuthorization: Authorization,
  newOwner: Owner,
})

/** Codec of an owner of L1 validators. It has no lock time, and its addresses print as cb58. */
export const PChainOwner = Codec.struct({ threshold: Codec.u32, addresses: Codec.array(Codec.shortId) })
export type PChainOwner = Codec.Infer<typeof PChainOwner>

/** Codec of an initial validator of an L1. Its `nodeID` may have any length on the wire. */
export const L1Validator = Codec.struct({
  nodeID: Codec.bytes(),
  weight: Codec.u64,
  balance: Codec.u64,
  signer: ProofOfPossession,
  remainingBalanceOwner: PChainOwner,
  deactivationOwner: PChainOwner,
})
export type L1Validator = Codec.Infer<typeof L1Validator>

/**
 * Layout of the transaction that converts a permissioned subnet into an L1 (since Etna). The contract
 * `address` on the chain `chainID` manages the L1's validators.
 */
export const ConvertSubnetToL1Tx = Codec.struct({
  ...base,
  subnetID: Codec.id,
  chainID: Codec.id,
  address: Codec.bytes(),
  validators: Codec.array(L1Validator),
  subnetAuthorization: Authorization,
})

/**
 * Layout of the transaction that registers the L1 validator in a signed Warp message, with a balance for its
 * fees.
 */
export const RegisterL1ValidatorTx = Codec.struct({
  ...base,
  balance: Codec.u64,
  proofOfPossession: Codec.fixed(96, { json: 'numbers' }),
  message: Codec.bytes(),
})

/** Layout of the transaction that sets the weight of an L1 validator from a signed Warp message. */
export const SetL1ValidatorWeightTx = Codec.struct({ ...base, message: Codec.bytes() })

/** Layout of the transaction that adds to the balance of an L1 validator. */
export const IncreaseL1ValidatorBalanceTx = Codec.struct({
  ...base,
  validationID: Codec.id,
  balance: Codec.u64,
})

/** Layout of the transaction by which a deactivation owner deactivates an L1 validator. */
export const DisableL1ValidatorTx = Codec.struct({
  ...base,
  validationID: Codec.id,
  disableAuthorization: Authorization,
})

/** Layout of the transaction that stakes on the Primary Network for consecutive periods (since Helicon). */
export const AddAutoRenewedValidatorTx = Codec.struct({
  ...base,
  nodeID: Codec.bytes(),
  signer: Signer,
  stake: Codec.array(Out),
  validationRewardsOwner: Owner,
  delegationRewardsOwner: Owner,
  validatorAuthority: Owner,
  delegationShares: Codec.u32,
  /** Share of the rewards that is staked again, in millionths. */
  autoCompoundRewardShares: Codec.u32,
  /** Length of a staking period in seconds. */
  period: Codec.u64,
})

/**
 * Layout of the transaction that changes an auto-renewed validator's configuration, effective at the end of
 * its current period. A new period of 0 stops the renewal.
 */
export const SetAutoRenewedValidatorConfigTx = Codec.struct({
  ...base,
  txID: Codec.id,
  auth: Authorization,
  autoCompoundRewardShares: Codec.u32,
  period: Codec.u64,
})

/** Layout of the proposal to reward an auto-renewed validator for the period that ended at `timestamp`. */
export const RewardAutoRenewedValidatorTx = Codec.struct({ txID: Codec.id, timestamp: Codec.u64 })
