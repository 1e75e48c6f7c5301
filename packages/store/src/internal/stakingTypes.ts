import type { UnsignedTx } from '@firn/txs'

type Adding = UnsignedTx.StakingType<'validator' | 'delegator'>

/**
 * The types of transactions that add a staker, in the order in which the index condition lists them. Only a
 * migration may change the condition.
 */
const ADDING: { readonly [T in Adding]: T } = {
  AddValidatorTx: 'AddValidatorTx',
  AddDelegatorTx: 'AddDelegatorTx',
  AddSubnetValidatorTx: 'AddSubnetValidatorTx',
  AddPermissionlessValidatorTx: 'AddPermissionlessValidatorTx',
  AddPermissionlessDelegatorTx: 'AddPermissionlessDelegatorTx',
  AddAutoRenewedValidatorTx: 'AddAutoRenewedValidatorTx',
}

/** The types of transactions that add a staker. */
export const STAKING_NAMES: readonly Adding[] = Object.values(ADDING)

/**
 * {@link STAKING_NAMES} as SQL. The planner uses a partial index only if a statement has exactly the index's
 * condition.
 */
export const STAKING_LIST = STAKING_NAMES.map((name) => `'${name}'`).join(', ')

const REWARDING: { readonly [T in UnsignedTx.StakingType<'reward'>]: T } = {
  RewardValidatorTx: 'RewardValidatorTx',
  RewardAutoRenewedValidatorTx: 'RewardAutoRenewedValidatorTx',
}

/** The types of proposals that reward a staker, as SQL. */
export const REWARD_LIST = Object.values(REWARDING)
  .map((name) => `'${name}'`)
  .join(', ')
