import * as Codec from '@firn/codec/Codec'
import * as BaseTxOf from '../avax/BaseTx.ts'
import * as Secp256k1 from '../fx/Secp256k1.ts'
import { Signer } from './Signer.ts'
import { In, Out } from './Stakeable.ts'

/** Codecs of the common fields, with which most transactions start. */
export const base = BaseTxOf.fields(Out, In)

/** Codec of an owner that decides or is paid: always `OutputOwners`, with its type id. */
export const Owner = Codec.union({ OutputOwners: [11, Secp256k1.OutputOwners] })
export type Owner = Codec.Infer<typeof Owner>

/** Codec of a validator: node id, start and end (Unix seconds) and weight (nAVAX on the Primary Network). */
export const Validator = Codec.struct({
  nodeID: Codec.nodeId,
  start: Codec.u64,
  end: Codec.u64,
  weight: Codec.u64,
})
export type Validator = Codec.Infer<typeof Validator>

const stake = Codec.array(Out)

/** Layout of the transaction that adds a validator to the Primary Network without a BLS key. */
export const AddValidatorTx = Codec.struct({
  ...base,
  validator: Validator,
  stake,
  rewardsOwner: Owner,
  /** The validator's share of delegators' rewards, in millionths. */
  shares: Codec.u32,
})
export type AddValidatorTx = Codec.Infer<typeof AddValidatorTx>

/** Layout of the transaction that delegates to a validator of the Primary Network. */
export const AddDelegatorTx = Codec.struct({ ...base, validator: Validator, stake, rewardsOwner: Owner })
export type AddDelegatorTx = Codec.Infer<typeof AddDelegatorTx>

/**
 * Layout of the transaction that adds a validator to the Primary Network (with a BLS key) or to a
 * permissionless subnet (without).
 */
export const AddPermissionlessValidatorTx = Codec.struct({
  ...base,
  validator: Validator,
  subnetID: Codec.id,
  signer: Signer,
  stake,
  validationRewardsOwner: Owner,
  delegationRewardsOwner: Owner,
  shares: Codec.u32,
})
export type AddPermissionlessValidatorTx = Codec.Infer<typeof AddPermissionlessValidatorTx>

/**
 * Layout of the transaction that delegates to a validator of the Primary Network or of a permissionless
 * subnet.
 */
export const AddPermissionlessDelegatorTx = Codec.struct({
  ...base,
  validator: Validator,
  subnetID: Codec.id,
  stake,
  rewardsOwner: Owner,
})
export type AddPermissionlessDelegatorTx = Codec.Infer<typeof AddPermissionlessDelegatorTx>
