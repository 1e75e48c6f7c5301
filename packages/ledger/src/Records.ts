import { Bytes, type ChainAlias } from '@firn/codec'
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

/**
 * Origin of a UTXO: the genesis, an output or returned stake of a transaction, a reward, or the remaining
 * balance of an L1 validator.
 */
export type UtxoOrigin = 'genesis' | 'output' | 'stake' | 'reward' | 'refund'

/** Output of a UTXO: of the P-chain or of the X-chain. The C-chain uses only `TransferOutput`. */
export type Output = Stakeable.Output | AvmFx.State

/** An output that is not wrapped in the P-chain's `LockOut`. */
export type Unlocked = Exclude<Output, { readonly type: 'LockOut' }>

/** An unspent output. */
export interface Utxo {
  /** Input id of the UTXO (32 bytes). */
  readonly id: Uint8Array
  /** Chain that can spend the UTXO. */
  readonly chain: ChainAlias
  /**
   * Chain that created the UTXO. If it differs from `chain`, the UTXO is in their shared memory until it is
   * imported.
   */
  readonly source: ChainAlias
  readonly utxo: UtxoOf.Utxo<Output>
  readonly origin: UtxoOrigin
  /**
   * Id of the transaction under which the node lists a reward in `platform.getRewardUTXOs`; undefined for
   * other origins.
   */
  readonly rewardTxId: Uint8Array | undefined
  /** Height of the block on `source` that created the UTXO; 0 for the genesis. */
  readonly height: bigint
  /** Index of the UTXO among all UTXOs that its block created. */
  readonly ordinal: number
}

/** Kind of a staker, which determines who may stake on its subnet and how rewards work. */
export type StakerKind = 'primary' | 'permissioned' | 'permissionless'

/** Additional fields of an auto-renewed validator (Helicon). */
export interface AutoRenewal {
  readonly authority: Secp256k1.OutputOwners
  /** Share of the rewards that is staked again, in millionths. */
  readonly autoCompoundRewardShares: number
  /** Length of the next cycle in seconds; 0 if staking ends with the current cycle. */
  readonly nextPeriod: bigint
  /** Rewards staked again in earlier cycles, in nAVAX. */
  readonly accruedValidationRewards: bigint
  readonly accruedDelegateeRewards: bigint
}

/** A pending or current validator or delegator of a subnet. Times are in Unix seconds. */
export interface Staker {
  readonly txId: Uint8Array
  readonly subnetId: Uint8Array
  readonly nodeId: Uint8Array
  readonly role: 'validator' | 'delegator'
  readonly kind: StakerKind
  readonly status: 'pending' | 'current'
  /** Priority among stakers that start or end at the same time, numbered as in the node. */
  readonly priority: number
  readonly startTime: bigint
  readonly endTime: bigint
  readonly weight: bigint
  readonly signer: Signer.ProofOfPossession | undefined
  /**
   * Reward that is paid if the proposal to reward the staker is committed; 0 while pending, and for
   * permissioned validators.
   */
  readonly potentialReward: bigint
  /** A validator's share of its delegators' rewards so far, which is paid together with its own reward. */
  readonly delegateeReward: bigint
  /**
   * Staked outputs, which are returned from output index `stakeIndex` on. Permissioned validators have none.
   */
  readonly stake: readonly Stakeable.Out[]
  readonly stakeIndex: number
  readonly rewardsOwner: Secp256k1.OutputOwners | undefined
  /** Owner who receives the validator's share (`shares`, in millionths) of its delegators' rewards. */
  readonly delegationRewardsOwner: Secp256k1.OutputOwners | undefined
  readonly shares: number
  readonly autoRenewal: AutoRenewal | undefined
}

/** The conversion of a subnet into an L1. */
export interface Conversion {
  /** SHA-256 of the conversion data (32 bytes). */
  readonly conversionId: Uint8Array
  /** Chain and contract that manage the L1's validators. */
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
  /**
   * Height of the P-chain block that created the subnet, and the subnet's index among the subnets that the
   * block created.
   */
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
  /**
   * Height of the P-chain block that created the chain (0 for the genesis), and the chain's index among the
   * chains that the block created.
   */
  readonly height: bigint
  readonly ordinal: number
}

/** A validator of an L1. */
export interface L1Validator {
  readonly validationId: Uint8Array
  readonly subnetId: Uint8Array
  readonly nodeId: Uint8Array
  /** BLS public key (48 bytes). */
  readonly publicKey: Uint8Array
  readonly remainingBalanceOwner: UnsignedTx.PChainOwner
  readonly deactivationOwner: UnsignedTx.PChainOwner
  /** Start of the validation in Unix seconds. */
  readonly startTime: bigint
  readonly weight: bigint
  /** Lowest nonce that the next change of weight may use. */
  readonly minNonce: bigint
  /**
   * Value of the accrued fees at which the validator's balance is used up; 0 while inactive. The balance is
   * this value minus the accrued fees.
   */
  readonly endAccumulatedFee: bigint
}

/** A registration of an L1 validator, which cannot be repeated before it expires. */
export interface Expiry {
  readonly timestamp: bigint
  readonly validationId: Uint8Array
}

/** Supply of a subnet: AVAX on the Primary Network, the staking asset on an elastic subnet. */
export interface Supply {
  readonly subnetId: Uint8Array
  readonly supply: bigint
}

/**
 * A member of a validator set, as signature checks use it. All inactive validators of an L1 together form one
 * member, with a zero node id and no key.
 */
export interface Member {
  readonly subnetId: Uint8Array
  readonly nodeId: Uint8Array
  /** Weight of the member, including delegations. */
  readonly weight: bigint
  /** BLS public key (48 bytes), if any. Subnet validators use the key of their Primary Network validator. */
  readonly publicKey: Uint8Array | undefined
}

/** An asset of the X-chain. Its id is the id of the transaction that created it. */
export interface Asset {
  readonly assetId: Uint8Array
  readonly name: string
  readonly symbol: string
  /** Number of digits after the decimal point. */
  readonly denomination: number
  /** Indices of the feature extensions that the asset uses. */
  readonly fxIndices: readonly number[]
}

/** The additional P-chain state that the next block depends on. */
export interface PlatformTip {
  /** Gas state for transaction fees (ACP-103). */
  readonly gas: Gas.State
  /** Excess that determines the price of active L1 validators (ACP-77). */
  readonly validatorExcess: bigint
  readonly activeL1Validators: bigint
  /** Amount in nAVAX that a validator active since Etna has been charged. */
  readonly accruedFees: bigint
  /**
   * Proposal that the next block commits or aborts. Until then the proposal has no effect, not even on the
   * time.
   */
  readonly proposal: PlatformBlock.PlatformBlock | undefined
}

/** Tip of a chain. */
export interface Tip {
  readonly chain: ChainAlias
  readonly height: bigint
  /** Id of the last block. On the C-chain it is the block hash, or zero before the first block. */
  readonly blockId: Uint8Array
  /** The chain's time in Unix seconds. */
  readonly time: bigint
  /** Additional state of the P-chain; undefined on other chains. */
  readonly platform: PlatformTip | undefined
}

/** Tables of the state, with their record types. */
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

/** Name of a table. */
export type TableName = keyof Records

const hex = flatHex

/** Functions that return the key of a record, by table. */
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

/**
 * Returns an output without its `LockOut` wrapper, if it has one. Every kind of output has owners, and transferable
 * outputs also have an `amount`.
 * @example
 * ```ts
 * import { Records } from '@firn/ledger'
 *
 * declare const output: Records.Output
 * const { addresses, threshold } = Records.unlocked(output)
 * ```
 */
export function unlocked(output: Output): Unlocked {
  return output.type === 'LockOut' ? output.output : output
}

/**
 * Returns the key that a member of a validator set has in the table `member`.
 * @example
 * ```ts
 * import { Id, NodeId } from '@firn/codec'
 * import { Records, type ValidatorSets } from '@firn/ledger'
 *
 * declare const members: ValidatorSets.Members
 * const nodeId = NodeId.parse('NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg')
 * const member = members.get(Records.memberKey(Id.EMPTY, nodeId)) // of the Primary Network
 * ```
 */
export function memberKey(subnetId: Uint8Array, nodeId: Uint8Array): string {
  return hex(subnetId) + hex(nodeId)
}

/**
 * Returns the time at which a staker's status changes: a pending staker starts, a current one ends.
 * @example
 * ```ts
 * import { Records } from '@firn/ledger'
 *
 * declare const staker: Records.Staker
 * new Date(Number(Records.nextTime(staker)) * 1000).toISOString()
 * ```
 */
export function nextTime({ status, startTime, endTime }: Staker): bigint {
  return status === 'pending' ? startTime : endTime
}

/**
 * Compares stakers by the order in which they start or end: by time, then priority, then transaction.
 * @example
 * ```ts
 * import { Records } from '@firn/ledger'
 *
 * declare const stakers: readonly Records.Staker[]
 * const [next] = [...stakers].sort(Records.compareStakers)
 * ```
 */
export function compareStakers(a: Staker, b: Staker): number {
  return order(nextTime(a), nextTime(b)) || a.priority - b.priority || Bytes.compare(a.txId, b.txId)
}

/**
 * Compares L1 validators by the time at which their balance is used up; inactive validators come last.
 * @example
 * ```ts
 * import { Records } from '@firn/ledger'
 *
 * declare const validators: readonly Records.L1Validator[]
 * const [next] = [...validators].sort(Records.compareL1Validators) // the first to run out of balance
 * ```
 */
export function compareL1Validators(a: L1Validator, b: L1Validator): number {
  return order(endOf(a), endOf(b)) || Bytes.compare(a.validationId, b.validationId)
}

function endOf({ endAccumulatedFee: end }: L1Validator): bigint {
  return end === 0n ? 2n ** 64n : end
}

/**
 * Compares registrations by expiry.
 * @example
 * ```ts
 * import { Records } from '@firn/ledger'
 *
 * declare const expiries: readonly Records.Expiry[]
 * const [next] = [...expiries].sort(Records.compareExpiries)
 * ```
 */
export function compareExpiries(a: Expiry, b: Expiry): number {
  return order(a.timestamp, b.timestamp) || Bytes.compare(a.validationId, b.validationId)
}

function order(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}
