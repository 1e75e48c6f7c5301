import type { BytesInput, IdInput, NodeIdInput, Receiver, SignerInput } from './Inputs.ts'

/** A validator to add to the Primary Network. */
export interface AddValidatorRequest {
  readonly nodeId: NodeIdInput
  /** Stake in nAVAX, or in units of the subnet's asset. */
  readonly stake: bigint
  /** End of the period, in Unix seconds. */
  readonly end: bigint
  /** Fee of delegators in millionths: 20,000 is 2 %. */
  readonly delegationFee: number
  /** BLS key of the node. */
  readonly signer: SignerInput
  /** Receives the validator's rewards. Default: the wallet's first address. */
  readonly rewardsTo?: Receiver
  /** Receives the fees of delegators. Default: as `rewardsTo`. */
  readonly delegationRewardsTo?: Receiver
}

/** A validator to add that stakes for consecutive periods. */
export interface AddAutoRenewedValidatorRequest extends Omit<AddValidatorRequest, 'end'> {
  /** Length of a period in seconds. */
  readonly period: bigint
  /** Part of the rewards that is staked again, in millionths. */
  readonly compounded: number
  /** May change the terms. Default: the wallet's first address. */
  readonly authority?: Receiver
}

/** A validator with which an L1 begins. */
export interface InitialValidator {
  readonly nodeId: NodeIdInput
  readonly weight: bigint
  /** Balance for the validator's fees, in nAVAX. */
  readonly balance: bigint
  readonly signer: SignerInput
  /** Receives the remaining balance. Default: the wallet's first address. */
  readonly remainingBalanceTo?: Receiver
  /** May deactivate the validator. Default: the wallet's first address. */
  readonly deactivatedBy?: Receiver
}

/** A subnet to create. */
export interface CreateSubnetRequest {
  /** May change the subnet. Default: the wallet's first address. */
  readonly owner?: Receiver
}

/** A subnet and its new owner. */
export interface TransferSubnetOwnershipRequest {
  readonly subnetId: IdInput
  readonly owner: Receiver
}

/** A blockchain to create on a subnet. */
export interface CreateChainRequest {
  readonly subnetId: IdInput
  readonly name: string
  readonly vmId: IdInput
  readonly genesis: BytesInput
  /** Feature extensions. Default: none. */
  readonly fxIds?: readonly IdInput[]
}

/** A validator to add to a permissioned subnet. */
export interface AddSubnetValidatorRequest {
  readonly subnetId: IdInput
  readonly nodeId: NodeIdInput
  readonly weight: bigint
  /** End of the period, in Unix seconds. */
  readonly end: bigint
}

/** A validator to remove from a permissioned subnet. */
export interface RemoveSubnetValidatorRequest {
  readonly subnetId: IdInput
  readonly nodeId: NodeIdInput
}

/** New terms of an auto-renewed validator. */
export interface SetAutoRenewedConfigRequest {
  /** Id of the transaction that added the validator. */
  readonly txId: IdInput
  /** Length of a period in seconds; 0 stops the renewal. */
  readonly period: bigint
  /** Part of the rewards that is staked again, in millionths. */
  readonly compounded: number
}

/** A delegation to a validator of the Primary Network. */
export interface DelegateRequest {
  readonly nodeId: NodeIdInput
  /** Amount in nAVAX. */
  readonly stake: bigint
  /** End of the delegation, in Unix seconds. */
  readonly end: bigint
  /** Receives the rewards. Default: the wallet's first address. */
  readonly rewardsTo?: Receiver
}

/** A subnet to convert into an L1. */
export interface ConvertToL1Request {
  readonly subnetId: IdInput
  /** Blockchain of the contract. */
  readonly chainId: IdInput
  /** Address of the contract. */
  readonly managerAddress: BytesInput
  readonly validators: readonly InitialValidator[]
}

/** A validator to register with an L1. */
export interface RegisterL1ValidatorRequest {
  /** Signed message of the L1's validators. */
  readonly message: BytesInput
  /** Signature by the validator's BLS key, 96 bytes. */
  readonly proofOfPossession: BytesInput
  /** Balance for the validator's fees, in nAVAX. */
  readonly balance: bigint
}

/** A new weight of an L1 validator. */
export interface SetL1ValidatorWeightRequest {
  /** Signed message of the L1's validators. */
  readonly message: BytesInput
}

/** An amount for the balance of an L1 validator. */
export interface IncreaseBalanceRequest {
  readonly validationId: IdInput
  /** Amount to add, in nAVAX. */
  readonly balance: bigint
}

/** An L1 validator to deactivate. */
export interface DisableRequest {
  readonly validationId: IdInput
}
