import { Bytes } from '@firn/codec'
import type {
  AvmFx,
  Gas,
  PlatformBlock,
  Secp256k1,
  Signer,
  Stakeable,
  UnsignedTx,
  Utxo as UtxoOf,
} from '@firn/txs'
import { flatHex } from './internal/flatHex.ts'

/** The chains of the Primary Network. */
export type ChainAlias = 'P' | 'X' | 'C'

/**
 * The origin of a UTXO: an output or returned stake of a transaction, a reward, or the rest of an L1
 * validator's balance.
 */
export type UtxoOrigin = 'genesis' | 'output' | 'stake' | 'reward' | 'refund'

/**
 * The output of a UTXO: outputs of the P-chain, and of the X-chain, whose first kind the C-chain uses too.
 */
export type Output = Stakeable.Output | AvmFx.State

/** An output without the P-chain's lock around it. */
export type Unlocked = Exclude<Output, { readonly type: 'LockOut' }>

/** An unspent output. */
export interface Utxo {
  /** Its input id, 32 bytes. */
  readonly id: Uint8Array
  /** The chain that can spend it. */
  readonly chain: ChainAlias
  /**
   * The chain that created it. If it differs from `chain`, the UTXO is in their shared memory until it is
   * imported.
   */
  readonly source: ChainAlias
  readonly utxo: UtxoOf.Utxo<Output>
  readonly origin: UtxoOrigin
  /**
   * The transaction under which the node lists a reward in `platform.getRewardUTXOs`; undefined for other
   * origins.
   */
  readonly rewardTxId: Uint8Array | undefined
  /** The block on `source` that created it; 0 for the genesis. */
  readonly height: bigint
  /** Index among the UTXOs created in that block. */
  readonly ordinal: number
}

/** A staker's kind, which decides who may stake on which subnet and how rewards work. */
export type StakerKind = 'primary' | 'permissioned' | 'permissionless'

/** Additional fields of an auto-renewed validator (Helicon). */
export interface AutoRenewal {
  readonly authority: Secp256k1.OutputOwners
  /** Share of the rewards that is restaked, in millionths. */
  readonly autoCompoundRewardShares: number
  /** Seconds of the next cycle; 0 ends the staking. */
  readonly nextPeriod: bigint
  /** Rewards restaked in earlier cycles, in nAVAX. */
  readonly accruedValidationRewards: bigint
  readonly accruedDelegateeRewards: bigint
}

/** A pending or current validator or delegator of a subnet. Times are Unix seconds. */
export interface Staker {
  readonly txId: Uint8Array
  readonly subnetId: Uint8Array
  readonly nodeId: Uint8Array
  readonly role: 'validator' | 'delegator'
  readonly kind: StakerKind
  readonly status: 'pending' | 'current'
  /** Its rank among those that change at the same time, as in the node. */
  readonly priority: number
  readonly startTime: bigint
  readonly endTime: bigint
  readonly weight: bigint
  readonly signer: Signer.ProofOfPossession | undefined
  /** The reward of the stake if it is granted; 0 while pending and for permissioned validators. */
  readonly potentialReward: bigint
  /** A validator's share of its delegators' rewards, which is paid with its own. */
  readonly delegateeReward: bigint
  /**
   * The staked outputs, and the index that they get when they are returned; none for permissioned validators.
   */
  readonly stake: readonly Stakeable.Out[]
  readonly stakeIndex: number
  readonly rewardsOwner: Secp256k1.OutputOwners | undefined
  /** The owner of a validator's share of delegators' rewards, and that share in millionths. */
  readonly delegationRewardsOwner: Secp256k1.OutputOwners | undefined
  readonly shares: number
  readonly autoRenewal: AutoRenewal | undefined
}

/** The conversion of a subnet into an L1. */
export interface Conversion {
  /** SHA-256 of the conversion data, 32 bytes. */
  readonly conversionId: Uint8Array
  /** The chain and the contract that manage the validators. */
  readonly managerChainId: Uint8Array
  readonly managerAddress: Uint8Array
  readonly txId: Uint8Array
}

/** A subnet other than the Primary Network. */
export interface Subnet {
  readonly subnetId: Uint8Array
  readonly owner: Secp256k1.OutputOwners
  readonly transformation:
    | { readonly txId: Uint8Array; readonly tx: UnsignedTx.Of<'TransformSubnetTx'> }
    | undefined
  readonly conversion: Conversion | undefined
  /** The P-chain block that created it, and its index among the subnets created there. */
  readonly height: bigint
  readonly ordinal: number
}

/** A blockchain other than the P-chain. */
export interface Chain {
  readonly blockchainId: Uint8Array
  readonly name: string
  readonly subnetId: Uint8Array
  readonly vmId: Uint8Array
  readonly fxIds: readonly Uint8Array[]
  /** The P-chain block that created it (0 for the genesis), and its index among the chains created there. */
  readonly height: bigint
  readonly ordinal: number
}

/** A validator of an L1. */
export interface L1Validator {
  readonly validationId: Uint8Array
  readonly subnetId: Uint8Array
  readonly nodeId: Uint8Array
  /** BLS key, 48 bytes. */
  readonly publicKey: Uint8Array
  readonly remainingBalanceOwner: UnsignedTx.PChainOwner
  readonly deactivationOwner: UnsignedTx.PChainOwner
  /** Unix seconds. */
  readonly startTime: bigint
  readonly weight: bigint
  /** The lowest nonce that the next change of weight may use. */
  readonly minNonce: bigint
  /**
   * The accrued fees at which its balance is used up; 0 while inactive. Its balance is this minus the accrued
   * fees.
   */
  readonly endAccumulatedFee: bigint
}

/** A registration that cannot be repeated before it expires. */
export interface Expiry {
  readonly timestamp: bigint
  readonly validationId: Uint8Array
}

/** A subnet's supply: of AVAX on the Primary Network, of its staking asset on an elastic subnet. */
export interface Supply {
  readonly subnetId: Uint8Array
  readonly supply: bigint
}

/**
 * A member of a validator set as signature checks see it. All inactive validators of an L1 together are one
 * member without a key, with a zero node id.
 */
export interface Member {
  readonly subnetId: Uint8Array
  readonly nodeId: Uint8Array
  /** Delegations included. */
  readonly weight: bigint
  /** BLS key, 48 bytes, if any; on subnets that of the Primary Network. */
  readonly publicKey: Uint8Array | undefined
}

/** An asset of the X-chain. Its id is that of the transaction that created it. */
export interface Asset {
  readonly assetId: Uint8Array
  readonly name: string
  readonly symbol: string
  /** Digits after the decimal point. */
  readonly denomination: number
  /** The feature extensions that it uses: their indices among those of the chain. */
  readonly fxIndices: readonly number[]
}

/** Further P-chain state that the next block depends on. */
export interface PlatformTip {
  /** Gas for transactions (ACP-103). */
  readonly gas: Gas.State
  /**
   * The excess that determines the price of L1 validators (ACP-77), their number, and the fee charged to each
   * since Etna.
   */
  readonly validatorExcess: bigint
  readonly activeL1Validators: bigint
  readonly accruedFees: bigint
  /** A proposal that the next block commits or aborts. Until then it has no effect, not even on the time. */
  readonly proposal: PlatformBlock.PlatformBlock | undefined
}

/** The tip of a chain. */
export interface Tip {
  readonly chain: ChainAlias
  readonly height: bigint
  /** The id of the last block; on the C-chain its hash, zero before the first block. */
  readonly blockId: Uint8Array
  /** Unix seconds. */
  readonly time: bigint
  /** Undefined on other chains. */
  readonly platform: PlatformTip | undefined
}

/** The tables of the state, each with its record type and key. */
export interface Records {
  readonly utxo: Utxo
  readonly staker: Staker
  readonly subnet: Subnet
  readonly chain: Chain
  readonly supply: Supply
  readonly l1Validator: L1Validator
  readonly expiry: Expiry
  readonly member: Member
  readonly asset: Asset
  readonly tip: Tip
}

/** The name of a table. */
export type TableName = keyof Records

const hex = flatHex

/** Returns the key of a record in its table. */
export const KEYS: { readonly [Name in TableName]: (record: Records[Name]) => string } = {
  utxo: ({ id }) => hex(id),
  staker: ({ txId }) => hex(txId),
  subnet: ({ subnetId }) => hex(subnetId),
  chain: ({ blockchainId }) => hex(blockchainId),
  supply: ({ subnetId }) => hex(subnetId),
  l1Validator: ({ validationId }) => hex(validationId),
  expiry: ({ timestamp, validationId }) => `${timestamp}:${hex(validationId)}`,
  member: ({ subnetId, nodeId }) => memberKey(subnetId, nodeId),
  asset: ({ assetId }) => hex(assetId),
  tip: ({ chain }) => chain,
}

/** Returns an output without the P-chain's lock. Every kind has owners, transferable ones an `amount`. */
export function unlocked(output: Output): Unlocked {
  return output.type === 'LockOut' ? output.output : output
}

/** Returns the key of a member of a validator set. */
export function memberKey(subnetId: Uint8Array, nodeId: Uint8Array): string {
  return hex(subnetId) + hex(nodeId)
}

/** Returns the time at which a staker leaves or changes its set. */
export function nextTime({ status, startTime, endTime }: Staker): bigint {
  return status === 'pending' ? startTime : endTime
}

/** Compares stakers by the order in which they change: by time, then priority, then transaction. */
export function compareStakers(a: Staker, b: Staker): number {
  return order(nextTime(a), nextTime(b)) || a.priority - b.priority || Bytes.compare(a.txId, b.txId)
}

/** Compares L1 validators by the order in which they run out of balance; inactive ones come last. */
export function compareL1Validators(a: L1Validator, b: L1Validator): number {
  return order(endOf(a), endOf(b)) || Bytes.compare(a.validationId, b.validationId)
}

function endOf({ endAccumulatedFee: end }: L1Validator): bigint {
  return end === 0n ? 2n ** 64n : end
}

/** Compares registrations by the order in which they expire. */
export function compareExpiries(a: Expiry, b: Expiry): number {
  return order(a.timestamp, b.timestamp) || Bytes.compare(a.validationId, b.validationId)
}

function order(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}
