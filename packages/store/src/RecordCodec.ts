import { Codec } from '@firn/codec'
import type { Records } from '@firn/ledger'
import { AvmFx, Secp256k1, Signer, Stakeable, UnsignedTx } from '@firn/txs'
import { mapped, oneOf, optional } from './internal/mapped.ts'

const owners = Secp256k1.OutputOwners

const autoRenewal: Codec.Codec<Records.AutoRenewal> = Codec.struct({
  authority: owners,
  autoCompoundRewardShares: Codec.u32,
  nextPeriod: Codec.u64,
  accruedValidationRewards: Codec.u64,
  accruedDelegateeRewards: Codec.u64,
})

/** Codec of a staker, as stored in the column `body` of the table `staker`. */
export const staker: Codec.Codec<Records.Staker> = Codec.struct({
  txId: Codec.id,
  subnetId: Codec.id,
  nodeId: Codec.nodeId,
  role: oneOf('validator', 'delegator'),
  kind: oneOf('primary', 'permissioned', 'permissionless'),
  status: oneOf('pending', 'current'),
  priority: Codec.u8,
  startTime: Codec.u64,
  endTime: Codec.u64,
  weight: Codec.u64,
  signer: optional(Signer.ProofOfPossession),
  potentialReward: Codec.u64,
  delegateeReward: Codec.u64,
  stake: Codec.array(Stakeable.Out),
  stakeIndex: Codec.u32,
  rewardsOwner: optional(owners),
  delegationRewardsOwner: optional(owners),
  shares: Codec.u32,
  autoRenewal: optional(autoRenewal),
})

const transformation = Codec.struct({
  txId: Codec.id,
  tx: mapped(
    UnsignedTx.TransformSubnetTx,
    (fields): UnsignedTx.Of<'TransformSubnetTx'> => ({ type: 'TransformSubnetTx', ...fields }),
    ({ type: _type, ...fields }) => fields,
  ),
})

const conversion: Codec.Codec<Records.Conversion> = Codec.struct({
  conversionId: Codec.id,
  managerChainId: Codec.id,
  managerAddress: Codec.bytes(),
  txId: Codec.id,
})

/** Codec of a subnet, as stored in the column `body` of the table `subnet`. */
export const subnet: Codec.Codec<Records.Subnet> = Codec.struct({
  subnetId: Codec.id,
  owner: owners,
  transformation: optional(transformation),
  conversion: optional(conversion),
  height: Codec.u64,
  ordinal: Codec.u32,
})

/** Codec of a blockchain, as stored in the column `body` of the table `blockchain`. */
export const chain: Codec.Codec<Records.Chain> = Codec.struct({
  blockchainId: Codec.id,
  name: Codec.string,
  subnetId: Codec.id,
  vmId: Codec.id,
  fxIds: Codec.array(Codec.id),
  height: Codec.u64,
  ordinal: Codec.u32,
})

/** Codec of an L1 validator, as stored in the column `body` of the table `l1_validator`. */
export const l1Validator: Codec.Codec<Records.L1Validator> = Codec.struct({
  validationId: Codec.id,
  subnetId: Codec.id,
  nodeId: Codec.nodeId,
  publicKey: Codec.fixed(48),
  remainingBalanceOwner: UnsignedTx.PChainOwner,
  deactivationOwner: UnsignedTx.PChainOwner,
  startTime: Codec.u64,
  weight: Codec.u64,
  minNonce: Codec.u64,
  endAccumulatedFee: Codec.u64,
})

/**
 * Codec of the time until which the registration of an L1 validator cannot be repeated, as stored in the column
 * `body` of the table `expiry`.
 */
export const expiry: Codec.Codec<Records.Expiry> = Codec.struct({
  timestamp: Codec.u64,
  validationId: Codec.id,
})

/** Codec of a subnet's supply, as stored in the column `body` of the table `supply`. */
export const supply: Codec.Codec<Records.Supply> = Codec.struct({ subnetId: Codec.id, supply: Codec.u64 })

/** Codec of a member of a validator set, as stored in the column `body` of the table `member`. */
export const member: Codec.Codec<Records.Member> = Codec.struct({
  subnetId: Codec.id,
  nodeId: Codec.nodeId,
  weight: Codec.u64,
  publicKey: optional(Codec.fixed(48)),
})

/** Codec of an asset, as stored in the column `body` of the table `asset`. */
export const asset: Codec.Codec<Records.Asset> = Codec.struct({
  assetId: Codec.id,
  name: Codec.string,
  symbol: Codec.string,
  denomination: Codec.u8,
  fxIndices: Codec.array(Codec.u32),
})

/**
 * The P-chain's time, gas, fees and number of active L1 validators after a block. A pending proposal is not included,
 * because the stored block itself is the proposal.
 */
export interface PlatformState extends Omit<Records.PlatformTip, 'proposal'> {
  /** The chain's time after the block. A pending proposal does not change it until it is decided. */
  readonly time: bigint
}

/** Codec of {@link PlatformState}, as stored in the column `state` of the table `block`. */
export const platformState: Codec.Codec<PlatformState> = Codec.struct({
  time: Codec.u64,
  gas: Codec.struct({ capacity: Codec.u64, excess: Codec.u64 }),
  validatorExcess: Codec.u64,
  activeL1Validators: Codec.u64,
  accruedFees: Codec.u64,
})

const LOCKED = Stakeable.Output as Codec.Codec<Records.Output>
const OTHER = AvmFx.State as Codec.Codec<Records.Output>
const LOCK_TYPE = 22

/** Encodes a UTXO's output as its type id and fields, as in encoded UTXOs and transactions. */
export function encodeOutput(output: Records.Output): Uint8Array {
  return (output.type === 'LockOut' ? LOCKED : OTHER).encode(output)
}

/**
 * Decodes a UTXO's output from the column `output`.
 * @throws CodecError with any code for malformed binary data
 */
export function decodeOutput(bytes: Uint8Array): Records.Output {
  return (bytes[3] === LOCK_TYPE ? LOCKED : OTHER).decode(bytes)
}
