import type { Share } from '../avax/Flow.ts'
import type * as Secp256k1 from '../fx/Secp256k1.ts'
import type { Validator } from '../platform/StakerTx.ts'
import type { Of } from '../platform/UnsignedTx.ts'
import * as Given from './Given.ts'
import {
  type Authorized,
  asOwner,
  build,
  type Fields,
  type PlatformDraft,
  type PlatformWallet,
} from './PlatformDraft.ts'

/** The staked asset if it is not AVAX but the asset of a permissionless subnet. */
interface Staked {
  readonly stakeAssetId?: Uint8Array
}

type PermissionlessValidator = Pick<
  Of<'AddPermissionlessValidatorTx'>,
  'validator' | 'subnetID' | 'signer' | 'shares'
> & {
  readonly validationRewardsOwner: Secp256k1.OutputOwners
  readonly delegationRewardsOwner: Secp256k1.OutputOwners
}

/**
 * Adds a validator to the Primary Network or a permissionless subnet. Stakes locked coins first.
 * @example
 * ```ts
 * import { Id, NodeId } from '@firn/codec'
 * import { type PlatformBuilder, type Secp256k1, type Signer, StakingBuilder } from '@firn/txs'
 *
 * declare const wallet: PlatformBuilder.PlatformWallet
 * declare const owners: Secp256k1.OutputOwners // of the rewards
 * declare const signer: Signer.Signer
 * const nodeID = NodeId.parse('NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg')
 * const validator = { nodeID, start: 0n, end: 1_800_000_000n, weight: 2_000_000_000_000n }
 * const draft = StakingBuilder.addPermissionlessValidator(wallet, {
 *   ...{ validator, subnetID: Id.EMPTY, signer, shares: 20_000 },
 *   ...{ validationRewardsOwner: owners, delegationRewardsOwner: owners },
 * })
 * ```
 * @throws TxsError `TXS_FUNDS`, `TXS_LOCKED`, `TXS_SIGNERS` if the wallet cannot pay, with the amounts in
 * `details`; `TXS_TIME` if the period ends in the past
 */
export function addPermissionlessValidator(
  wallet: PlatformWallet,
  request: PermissionlessValidator & Staked,
): PlatformDraft {
  return build(wallet, () => {
    const { stakeAssetId, ...fields } = request
    return {
      stake: stakeOf(wallet, fields.validator, stakeAssetId),
      tx: ({ base, stake }) => ({
        type: 'AddPermissionlessValidatorTx',
        ...base,
        ...fields,
        stake,
        validationRewardsOwner: asOwner(fields.validationRewardsOwner),
        delegationRewardsOwner: asOwner(fields.delegationRewardsOwner),
      }),
    }
  })
}

type PermissionlessDelegator = Pick<Of<'AddPermissionlessDelegatorTx'>, 'validator' | 'subnetID'> & {
  readonly rewardsOwner: Secp256k1.OutputOwners
}

/**
 * Delegates to a validator of the Primary Network or a permissionless subnet. Stakes locked coins first.
 * @example
 * ```ts
 * import { Id, NodeId } from '@firn/codec'
 * import { type PlatformBuilder, type Secp256k1, StakingBuilder } from '@firn/txs'
 *
 * declare const wallet: PlatformBuilder.PlatformWallet
 * declare const owners: Secp256k1.OutputOwners
 * const nodeID = NodeId.parse('NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg')
 * const validator = { nodeID, start: 0n, end: 1_800_000_000n, weight: 25_000_000_000n }
 * const fields = { validator, subnetID: Id.EMPTY, rewardsOwner: owners }
 * const draft = StakingBuilder.addPermissionlessDelegator(wallet, fields)
 * ```
 * @throws TxsError `TXS_FUNDS`, `TXS_LOCKED`, `TXS_SIGNERS` if the wallet cannot pay, with the amounts in
 * `details`; `TXS_TIME` if the period ends in the past
 */
export function addPermissionlessDelegator(
  wallet: PlatformWallet,
  request: PermissionlessDelegator & Staked,
): PlatformDraft {
  return build(wallet, () => {
    const { stakeAssetId, ...fields } = request
    return {
      stake: stakeOf(wallet, fields.validator, stakeAssetId),
      tx: ({ base, stake }) => ({
        type: 'AddPermissionlessDelegatorTx',
        ...base,
        ...fields,
        stake,
        rewardsOwner: asOwner(fields.rewardsOwner),
      }),
    }
  })
}

/**
 * Adds a validator without a BLS key to the Primary Network. The node refuses this since Durango.
 * @example
 * ```ts
 * import { NodeId } from '@firn/codec'
 * import { type PlatformBuilder, type Secp256k1, StakingBuilder } from '@firn/txs'
 *
 * declare const wallet: PlatformBuilder.PlatformWallet
 * declare const rewardsOwner: Secp256k1.OutputOwners
 * const nodeID = NodeId.parse('NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg')
 * const validator = { nodeID, start: 0n, end: 1_800_000_000n, weight: 2_000_000_000_000n }
 * const draft = StakingBuilder.addValidator(wallet, { validator, rewardsOwner, shares: 20_000 })
 * ```
 * @throws TxsError `TXS_FUNDS`, `TXS_LOCKED`, `TXS_SIGNERS` if the wallet cannot pay, with the amounts in
 * `details`; `TXS_UNSUPPORTED` if the fees are dynamic
 */
export function addValidator(
  wallet: PlatformWallet,
  request: {
    readonly validator: Validator
    readonly shares: number
    readonly rewardsOwner: Secp256k1.OutputOwners
  },
): PlatformDraft {
  return build(wallet, () => {
    const { validator, shares, rewardsOwner } = request
    return {
      stake: stakeOf(wallet, validator),
      tx: ({ base, stake }) => ({
        type: 'AddValidatorTx',
        ...base,
        validator,
        stake,
        rewardsOwner: asOwner(rewardsOwner),
        shares,
      }),
    }
  })
}

/**
 * Delegates to a validator of the Primary Network. The node refuses this since Durango.
 * @example
 * ```ts
 * import { NodeId } from '@firn/codec'
 * import { type PlatformBuilder, type Secp256k1, StakingBuilder } from '@firn/txs'
 *
 * declare const wallet: PlatformBuilder.PlatformWallet
 * declare const rewardsOwner: Secp256k1.OutputOwners
 * const nodeID = NodeId.parse('NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg')
 * const validator = { nodeID, start: 0n, end: 1_800_000_000n, weight: 25_000_000_000n }
 * const draft = StakingBuilder.addDelegator(wallet, { validator, rewardsOwner })
 * ```
 * @throws TxsError `TXS_FUNDS`, `TXS_LOCKED`, `TXS_SIGNERS` if the wallet cannot pay, with the amounts in
 * `details`; `TXS_UNSUPPORTED` if the fees are dynamic
 */
export function addDelegator(
  wallet: PlatformWallet,
  request: { readonly validator: Validator; readonly rewardsOwner: Secp256k1.OutputOwners },
): PlatformDraft {
  return build(wallet, () => {
    const { validator, rewardsOwner } = request
    return {
      stake: stakeOf(wallet, validator),
      tx: ({ base, stake }) => ({
        type: 'AddDelegatorTx',
        ...base,
        validator,
        stake,
        rewardsOwner: asOwner(rewardsOwner),
      }),
    }
  })
}

type AutoRenewedValidator = Pick<
  Of<'AddAutoRenewedValidatorTx'>,
  'nodeID' | 'signer' | 'delegationShares' | 'autoCompoundRewardShares' | 'period'
> & {
  /** Stake in nAVAX. */
  readonly weight: bigint
  readonly validationRewardsOwner: Secp256k1.OutputOwners
  readonly delegationRewardsOwner: Secp256k1.OutputOwners
  /** Owner that may change the validator's configuration. */
  readonly validatorAuthority: Secp256k1.OutputOwners
}

/**
 * Adds a validator to the Primary Network that stakes for consecutive periods.
 * @example
 * ```ts
 * import { type PlatformBuilder, type Secp256k1, type Signer, StakingBuilder } from '@firn/txs'
 *
 * declare const wallet: PlatformBuilder.PlatformWallet
 * declare const nodeID: Uint8Array, signer: Signer.Signer
 * declare const owners: Secp256k1.OutputOwners
 * const draft = StakingBuilder.addAutoRenewedValidator(wallet, {
 *   ...{ nodeID, signer, weight: 2_000_000_000_000n, period: 1_209_600n },
 *   ...{ delegationShares: 20_000, autoCompoundRewardShares: 500_000 },
 *   ...{ validationRewardsOwner: owners, delegationRewardsOwner: owners, validatorAuthority: owners },
 * })
 * ```
 * @throws TxsError `TXS_FUNDS`, `TXS_LOCKED`, `TXS_SIGNERS` if the wallet cannot pay, with the amounts in
 * `details`
 */
export function addAutoRenewedValidator(
  wallet: PlatformWallet,
  request: AutoRenewedValidator,
): PlatformDraft {
  return build(wallet, () => {
    const { weight, ...fields } = request
    return {
      stake: stakeOf(wallet, { weight }),
      tx: ({ base, stake }) => ({
        type: 'AddAutoRenewedValidatorTx',
        ...base,
        ...fields,
        stake,
        validationRewardsOwner: asOwner(fields.validationRewardsOwner),
        delegationRewardsOwner: asOwner(fields.delegationRewardsOwner),
        validatorAuthority: asOwner(fields.validatorAuthority),
      }),
    }
  })
}

/**
 * Changes an auto-renewed validator's configuration, effective from its next period. A period of 0 stops the renewal.
 * `authority` is the owner that may change the configuration (`validatorAuthority`).
 * @example
 * ```ts
 * import { type PlatformBuilder, type Secp256k1, StakingBuilder } from '@firn/txs'
 *
 * declare const wallet: PlatformBuilder.PlatformWallet
 * declare const txID: Uint8Array // of the transaction that added the validator
 * declare const authority: Secp256k1.OutputOwners
 * const fields = { txID, autoCompoundRewardShares: 0, period: 0n }
 * const draft = StakingBuilder.setAutoRenewedValidatorConfig(wallet, { authority, ...fields })
 * ```
 * @throws TxsError `TXS_FUNDS`, `TXS_LOCKED`, `TXS_SIGNERS` if the wallet cannot pay or sign for `authority`
 */
export function setAutoRenewedValidatorConfig(
  wallet: PlatformWallet,
  request: Fields<'SetAutoRenewedValidatorConfigTx'> & Authorized,
): PlatformDraft {
  return build(wallet, () => {
    const { authority, ...fields } = request
    return {
      authority,
      tx: ({ base, authorization: auth }) => ({
        type: 'SetAutoRenewedValidatorConfigTx',
        ...base,
        ...fields,
        auth,
      }),
    }
  })
}

function stakeOf(
  { avaxAssetId, time }: PlatformWallet,
  { weight, end }: Pick<Validator, 'weight'> & Partial<Pick<Validator, 'end'>>,
  assetId: Uint8Array = avaxAssetId,
): Share {
  Given.assertU64(weight, 'weight')
  if (end !== undefined) Given.assertEnd(end, time, 'validator.end')
  return { assetID: assetId, amount: weight }
}
