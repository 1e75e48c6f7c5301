/** What the node's error starts with if the common fields of a transaction are invalid, by type. Most have no prefix. */
const BASE: Readonly<Record<string, string>> = {
  AddValidatorTx: 'failed to verify BaseTx: ',
  AddPermissionlessValidatorTx: 'failed to verify BaseTx: ',
  AddPermissionlessDelegatorTx: 'failed to verify BaseTx: ',
  AddAutoRenewedValidatorTx: 'verifying BaseTx: ',
}

/** The same for the weight, the BLS key and the owners of a staker. */
const STAKER: Readonly<Record<string, string>> = {
  AddValidatorTx: 'failed to verify validator or rewards owner: ',
  AddDelegatorTx: 'failed to verify validator or rewards owner: ',
  AddPermissionlessDelegatorTx: 'failed to verify validator or rewards owner: ',
  AddPermissionlessValidatorTx: 'failed to verify validator, signer, or rewards owners: ',
  AddAutoRenewedValidatorTx: 'verifying signer, rewards owners or validator authority: ',
}

/** The same for a staked output. */
const STAKED: Readonly<Record<string, string>> = {
  AddDelegatorTx: 'output verification failed: ',
  AddAutoRenewedValidatorTx: 'verifying output: ',
}

const PARTS: Readonly<Record<string, (type: string) => string>> = {
  metadata: (type) => `${BASE[type] ?? ''}metadata failed verification: `,
  output: (type) => `${BASE[type] ?? ''}output failed verification: `,
  input: (type) => `${BASE[type] ?? ''}input failed verification: `,
  order: (type) => BASE[type] ?? '',
  staker: (type) => STAKER[type] ?? '',
  'staked output': (type) => STAKED[type] ?? 'failed to verify output: ',
  'exported output': () => 'output failed verification: ',
  'imported input': () => 'input failed verification: ',
}

/** Returns what the node's error starts with if a part of a P-chain transaction is invalid. */
export function platformPart(type: string, part: unknown): string {
  return PARTS[String(part)]?.(type) ?? ''
}
