/** The types of transactions that add a staker. */
export const STAKING_NAMES = [
  'AddValidatorTx',
  'AddDelegatorTx',
  'AddSubnetValidatorTx',
  'AddPermissionlessValidatorTx',
  'AddPermissionlessDelegatorTx',
  'AddAutoRenewedValidatorTx',
] as const

/** The same names as SQL: the planner uses a partial index where a statement has the very condition of the index. */
export const STAKING_LIST = STAKING_NAMES.map((name) => `'${name}'`).join(', ')
