/** The types of transactions that add a staker. */
export const STAKING_NAMES = [
  'AddValidatorTx',
  'AddDelegatorTx',
  'AddSubnetValidatorTx',
  'AddPermissionlessValidatorTx',
  'AddPermissionlessDelegatorTx',
  'AddAutoRenewedValidatorTx',
] as const

/** Those names as SQL has them: a statement says the same as the index, so that the planner knows that the index serves it. */
export const STAKING_LIST = STAKING_NAMES.map((name) => `'${name}'`).join(', ')

/** Further indexes, for pages of the lists of stakers and of L1 validators at any depth. */
export function* indexStatements(): Iterable<string> {
  yield `create index on transaction (name, height, position) where name in (${STAKING_LIST})`
  yield 'create index on staker (start_time) where until is null'
  yield 'create index on l1_validator (key, since desc)'
}

/** What the lists of validators and delegators are found by: in their order, and by node. */
export function* stakerStatements(): Iterable<string> {
  yield 'create index on staker (role, start_time, key) where until is null'
  yield 'create index on staker (role, start_time, key) where until is not null'
  yield `create index on staker (start_time, key) where until is not null and kind = 'permissioned'`
  yield 'create index on staker (node_id, role, until)'
}

/** What transactions of the X-chain are found by by their assets: where outputs were made, and where they were consumed. */
export function* assetStatements(): Iterable<string> {
  yield 'create index on utxo_x (asset_id, height)'
  yield `create index on utxo (asset_id, consumed_height) where chain = 'X' and consumed_height is not null`
}
