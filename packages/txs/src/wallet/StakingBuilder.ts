import type { Share } from '../avax/Flow.ts'
import type * as Secp256k1 from '../fx/Secp256k1.ts'
import type { Validator } from '../platform/StakerTx.ts'
import type { Of } from '../platform/UnsignedTx.ts'
import {
  type Authorized,
  asOwner,
  build,
  type Given,
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

/** Adds a validator to the Primary Network or a permissionless subnet. Stakes locked coins first. */
export function addPermissionlessValidator(
  wallet: PlatformWallet,
  { stakeAssetId, ...fields }: PermissionlessValidator & Staked,
): PlatformDraft {
  return build(wallet, {
    stake: stakeOf(wallet, fields.validator, stakeAssetId),
    tx: ({ base, stake }) => ({
      type: 'AddPermissionlessValidatorTx',
      ...base,
      ...fields,
      stake,
      validationRewardsOwner: asOwner(fields.validationRewardsOwner),
      delegationRewardsOwner: asOwner(fields.delegationRewardsOwner),
    }),
  })
}

type PermissionlessDelegator = Pick<Of<'AddPermissionlessDelegatorTx'>, 'validator' | 'subnetID'> & {
  readonly rewardsOwner: Secp256k1.OutputOwners
}

/** Delegates to a validator of the Primary Network or a permissionless subnet. Stakes locked coins first. */
export function addPermissionlessDelegator(
  wallet: PlatformWallet,
  { stakeAssetId, ...fields }: PermissionlessDelegator & Staked,
): PlatformDraft {
  return build(wallet, {
    stake: stakeOf(wallet, fields.validator, stakeAssetId),
    tx: ({ base, stake }) => ({
      type: 'AddPermissionlessDelegatorTx',
      ...base,
      ...fields,
      stake,
      rewardsOwner: asOwner(fields.rewardsOwner),
    }),
  })
}

/** Adds a validator without a BLS key to the Primary Network. The node refuses this since Durango. */
export function addValidator(
  wallet: PlatformWallet,
  {
    validator,
    shares,
    rewardsOwner,
  }: {
    readonly validator: Validator
    readonly shares: number
    readonly rewardsOwner: Secp256k1.OutputOwners
  },
): PlatformDraft {
  return build(wallet, {
    stake: stakeOf(wallet, validator),
    tx: ({ base, stake }) => ({
      type: 'AddValidatorTx',
      ...base,
      validator,
      stake,
      rewardsOwner: asOwner(rewardsOwner),
      shares,
    }),
  })
}

/** Delegates to a validator of the Primary Network. The node refuses this since Durango. */
export function addDelegator(
  wallet: PlatformWallet,
  {
    validator,
    rewardsOwner,
  }: { readonly validator: Validator; readonly rewardsOwner: Secp256k1.OutputOwners },
): PlatformDraft {
  return build(wallet, {
    stake: stakeOf(wallet, validator),
    tx: ({ base, stake }) => ({
      type: 'AddDelegatorTx',
      ...base,
      validator,
      stake,
      rewardsOwner: asOwner(rewardsOwner),
    }),
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

/** Adds a validator to the Primary Network that stakes for consecutive periods. */
export function addAutoRenewedValidator(
  wallet: PlatformWallet,
  { weight, ...fields }: AutoRenewedValidator,
): PlatformDraft {
  return build(wallet, {
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
  })
}

/**
 * Changes an auto-renewed validator's configuration, effective from its next period. A period of 0 stops the
 * renewal. `authority` is the validator's authority.
 */
export function setAutoRenewedValidatorConfig(
  wallet: PlatformWallet,
  { authority, ...fields }: Given<'SetAutoRenewedValidatorConfigTx'> & Authorized,
): PlatformDraft {
  return build(wallet, {
    authority,
    tx: ({ base, authorization: auth }) => ({
      type: 'SetAutoRenewedValidatorConfigTx',
      ...base,
      ...fields,
      auth,
    }),
  })
}

function stakeOf(
  { avaxAssetId }: PlatformWallet,
  { weight }: Pick<Validator, 'weight'>,
  assetId: Uint8Array = avaxAssetId,
): Share {
  return { assetID: assetId, amount: weight }
}
