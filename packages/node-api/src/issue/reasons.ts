import { type FirnError, ShortId } from '@firn/codec'

/** What the text of a refusal depends on besides the error. */
export interface Cause {
  /** Type of the transaction, such as `BaseTx`. */
  readonly type: string
  readonly error: FirnError
}

type Details = Readonly<Record<string, unknown>>
type Reason = (details: Details, cause: Cause) => string | undefined

/** Returns the node's text for an error that is the same on all chains, or undefined. */
export function common(cause: Cause): string | undefined {
  const { error } = cause
  return COMMON[error.code]?.(error.details, cause)
}

const COMMON: Readonly<Record<string, Reason>> = {
  TXS_NETWORK_ID: () => 'tx has wrong network ID',
  TXS_BLOCKCHAIN_ID: () => 'tx has wrong chain ID',
  TXS_MEMO: ({ actual, maximum }) => `memo exceeds maximum length: ${actual} > ${maximum}`,
  TXS_OUTPUTS_ORDER: () => 'outputs not sorted',
  TXS_INPUTS_ORDER: () => 'inputs not sorted and unique',
  TXS_OUTPUT_UNSPENDABLE: () => 'output is unspendable',
  TXS_OUTPUT_UNOPTIMIZED: () => 'output representation should be optimized',
  TXS_ADDRESSES_ORDER: () => 'addresses not sorted and unique',
  TXS_INDICES_ORDER: () => 'address indices not sorted and unique',
  TXS_LOCKED: () => 'output is time locked',
  TXS_SIGNERS: signers,
  TXS_SIGNATURE: ({ expected, actual }) =>
    `wrong signature: expected signature from ${short(expected)} but got from ${short(actual)}`,
  TXS_UTXO: ({ held, spent }) =>
    held === undefined ? undefined : `utxo amount and input amount are not equal: ${held} != ${spent}`,
  TXS_DOUBLE_SPEND: () => 'inputs attempt to double spend an input',
  TXS_CREDENTIAL: ({ type }) => (type === undefined ? undefined : 'wrong credential type'),
  TXS_DENOMINATION: () => 'denomination is too large',
  TXS_NO_VALUE: ({ what }, { type }) => noValue(String(what), type),
  TXS_ASSET_ID: ({ expected, utxo }) =>
    expected === undefined && utxo === undefined ? 'empty asset ID is not valid' : undefined,
  TXS_OVERFLOW: () => 'overflow',
  KEYS_SIGNATURE_MUTATED: () => 'signature was mutated from its original format',
  KEYS_SIGNATURE: () => 'invalid signature',
}

function signers({ expected, actual, index }: Details, { error }: Cause): string {
  if (index !== undefined) return 'input referenced a nonexistent address in the output'
  if (!error.message.includes('signature indices'))
    return 'input expected a different number of signers than provided in the credential'
  return `input has ${Number(actual) > Number(expected) ? 'more' : 'less'} signers than expected`
}

const NO_VALUE: Readonly<Record<string, string>> = {
  output: 'output has no value',
  input: 'input has no value',
  account: 'zero amount',
  weight: 'weight of this validator is too low',
  balance: 'balance must be greater than 0',
  period: 'missing period',
  timestamp: 'missing timestamp',
}

function noValue(what: string, type: string): string | undefined {
  return what === 'weight' && type === 'ConvertSubnetToL1Tx'
    ? 'validator weight must be non-zero'
    : NO_VALUE[what]
}

/** Formats an address of 20 bytes as in the node's errors. */
function short(address: unknown): string {
  return address instanceof Uint8Array ? ShortId.format(address) : String(address)
}

/** Returns the node's text for a transaction that breaks a rule of the P-chain, or undefined. */
export function platform(cause: Cause): string | undefined {
  const { error } = cause
  return PLATFORM[error.code]?.(error.details, cause)
}

const UPGRADES: Readonly<Record<string, string>> = {
  durango: 'a Durango',
  etna: 'an Etna',
  helicon: 'a Helicon',
}

const EMPTY_PLATFORM: Readonly<Record<string, string>> = {
  ImportTx: 'tx has no imported inputs',
  ExportTx: 'no export outputs',
  ConvertSubnetToL1Tx: 'conversion must include at least one validator',
}

/** Texts of transactions that may not concern the Primary Network, by type. */
const PRIMARY_NETWORK: Readonly<Record<string, string>> = {
  AddSubnetValidatorTx: "can't add primary network validator with AddSubnetValidatorTx",
  CreateChainTx: "new blockchain can't be validated by primary network",
  RemoveSubnetValidatorTx: "can't remove primary network validator with RemoveSubnetValidatorTx",
  TransformSubnetTx: 'cannot transform primary network',
  TransferSubnetOwnershipTx: 'cannot transfer ownership of a permissionless subnet',
  ConvertSubnetToL1Tx: 'cannot convert a permissionless subnet',
}

const PLATFORM: Readonly<Record<string, Reason>> = {
  TXS_EMPTY: (_details, { type }) => EMPTY_PLATFORM[type],
  TXS_NAME: (_details, { error }) =>
    error.message.includes('at most') ? 'name too long' : 'illegal name character',
  TXS_GENESIS: () => 'genesis too long',
  TXS_VM_ID: () => 'invalid VM ID',
  TXS_NODE_ID: ({ length }) =>
    length === undefined
      ? 'validator nodeID cannot be empty'
      : `invalid hash length: expected 20 bytes but got ${length}`,
  TXS_TX_ID: () => 'missing tx id',
  TXS_SUBNET_ID: (_details, { type }) => PRIMARY_NETWORK[type],
  TXS_ORDER: (_details, { type }) =>
    type === 'CreateChainTx'
      ? 'feature extensions IDs must be sorted and unique'
      : 'conversion validators must be sorted and unique',
  TXS_SHARES: ({ what, maximum }) =>
    what === 'compounding'
      ? `a staker can only restake at most ${maximum} shares from rewards`
      : `a staker can only require at most ${maximum} shares from delegators`,
  TXS_STAKE_WEIGHT: ({ weight, stake }, { type }) =>
    type.includes('Delegator')
      ? `delegator weight is not equal to total stake weight, delegator weight ${weight} total stake weight ${stake}`
      : `validator weight mismatch: weight ${weight} != stake ${stake}`,
  TXS_PARAMETERS: parameter,
  TXS_ASSET_ID: ({ expected, actual, isAvax }, { type }) => {
    if (isAvax === true) return "asset ID can't be AVAX"
    if (expected === undefined) return undefined
    if (type === 'AddAutoRenewedValidatorTx') return 'invalid staked asset'
    return type.includes('Permissionless')
      ? `multiple staked assets: "${expected}" and "${actual}"`
      : `stake must be AVAX but is "${actual}"`
  },
  TXS_NO_STAKE: () => 'no stake',
  TXS_MANAGER_ADDRESS: () => 'address is too long',
  TXS_SIGNER: signer,
  TXS_LOCKTIME: ({ expected, actual, rule }) => {
    if (rule === 'positive') return 'invalid locktime'
    if (rule === 'unlocked') return 'wrong locktime reported'
    return actual === undefined
      ? 'locked funds not marked as locked'
      : `input locktime does not match UTXO locktime: ${actual} != ${expected}`
  },
  TXS_FUNDS: ({ assetId, missing, locktime }) =>
    locktime === undefined && missing !== undefined
      ? `insufficient unlocked funds: needs ${missing} more ${assetId}`
      : undefined,
  LEDGER_TX_TYPE: (_details, { type, error }) => {
    const until = / since (durango|etna)/.exec(error.message)?.[1]
    if (until !== undefined) return `${type} is not permitted post-${until === 'etna' ? 'Etna' : 'Durango'}`
    const from = / before (\w+),/.exec(error.message)?.[1] ?? ''
    const upgrade = UPGRADES[from]
    return upgrade === undefined
      ? 'wrong transaction type'
      : `attempting to use ${upgrade}-upgrade feature prior to activation`
  },
  LEDGER_STAKING_RULE: (details, { type }) => STAKING[String(details['reason'])]?.(details, type),
  LEDGER_SUBNET: ({ subnetId }, { error }) =>
    error.message.startsWith('unknown') ? 'not found' : `${JSON.stringify(subnetId)} is immutable`,
  LEDGER_MESSAGE: message,
  LEDGER_STAKER: ({ txId }, { type }) =>
    type === 'SetAutoRenewedValidatorConfigTx' && txId !== undefined
      ? 'getting staker tx: not found'
      : undefined,
  TXS_CREDENTIAL: ({ isMissing }) =>
    isMissing === true ? 'should have the same number of credentials as inputs' : undefined,
  LEDGER_L1_VALIDATOR: ({ capacity }, { error, type }) => {
    if (capacity !== undefined) return 'already at the max number of active validators'
    if (error.message.includes('last validator'))
      return 'attempting to remove the last L1 validator from a converted subnet'
    if (!error.message.includes('not found') && !error.message.startsWith('unknown')) return undefined
    return type === 'IncreaseL1ValidatorBalanceTx' ? 'not found' : 'could not load L1 validator: not found'
  },
}

/** Texts of BLS keys and proofs of possession that are invalid. */
const PROOF_FAULTS: Readonly<Record<string, string>> = {
  'key encoding': "couldn't decompress public key",
  key: 'invalid public key',
  'signature encoding': "couldn't decompress signature",
  signature: 'invalid signature',
  proof: 'invalid proof of possession',
}

function signer({ fault }: Details, { type, error }: Cause): string | undefined {
  if (fault !== undefined) return PROOF_FAULTS[String(fault)]
  if (type !== 'AddPermissionlessValidatorTx') return 'missing signer'
  const hasKey = error.message.includes('expected no BLS key')
  return `invalid signer: hasKey=${hasKey} != isPrimaryNetwork=${!hasKey}`
}

/** Returns the words for a parameter of a transformed subnet: `min validator stake must be non-0`. */
function parameter({ name, rule }: Details): string {
  const words = (text: string) => text.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  if (rule === 'above 0') return `${words(String(name))} must be non-0`
  if (name === 'initialSupply') return "initial supply can't be greater than maximum supply"
  const limit = String(rule).replace('at most ', '').replace('maximumSupply', 'maxSupply')
  return `${words(String(name))} must be less than or equal to ${words(limit)}`
}

/** Number of seconds that a registration may expire in the future. */
const EXPIRY_WINDOW = 86_400n

function message(details: Details): string | undefined {
  const { expiry, time, nonce, minNonce, validationID: id, subnetId, sender, expected, actual } = details
  if (sender === 'chain') return `wrong warp message source chain ID expected ${expected} but had ${actual}`
  if (sender === 'address') return `wrong warp message source address expected ${expected} but got ${actual}`
  if (subnetId !== undefined) return `could not load subnet conversion for ${subnetId} with: not found`
  if (details['isReserved'] === true) return 'maxUint64 nonce is reserved for removal'
  if (id !== undefined) return `warp message already issued for validationID ${id}`
  if (nonce !== undefined) return `warp message contains stale nonce ${nonce} must be at least ${minNonce}`
  if (typeof expiry !== 'bigint' || typeof time !== 'bigint') return undefined
  if (expiry <= time) return `warp message expired at ${expiry} and it is currently ${time}`
  const limit = `the limit is ${EXPIRY_WINDOW}`
  return `warp message not yet allowed because time is ${expiry - time} seconds in the future but ${limit}`
}

const STAKING: Readonly<Record<string, (details: Details, type: string) => string>> = {
  'weight-low': () => 'weight of this validator is too low',
  'weight-high': () => 'weight of this validator is too large',
  fee: () => 'staker charges an insufficient delegation fee',
  'too-short': () => 'staking period is too short',
  'too-long': () => 'staking period is too long',
  asset: ({ expected, actual }) => `incorrect staked assetID: ${expected} != ${actual}`,
  duplicate: ({ nodeId, subnetId }, type) => {
    if (type === 'AddValidatorTx') return `${nodeId} is already a validator of the primary network`
    if (type === 'AddSubnetValidatorTx')
      return `attempted to issue duplicate validator for ${nodeId} on subnet ${subnetId}`
    return `duplicate validator: ${nodeId}${type === 'AddAutoRenewedValidatorTx' ? '' : ` on ${subnetId}`}`
  },
  'no-validator': ({ nodeId, subnetId }, type) =>
    type === 'RemoveSubnetValidatorTx'
      ? `${nodeId} isn't a current or pending validator of ${subnetId}: not found`
      : `failed to fetch the ${type === 'AddDelegatorTx' ? `primary network validator for ${nodeId}` : `validator for ${nodeId} on ${subnetId}`}: not found`,
  'not-primary': ({ nodeId }) => `${nodeId} isn't a current or pending validator of the primary network`,
  period: () => 'proposed staking period is not inside dependent staking period',
  'over-delegated': () => 'validator would be over delegated',
  permissioned: () => 'delegation to permissioned validator',
  permissionless: () => 'attempting to remove permissionless validator',
}

/** Returns the node's text for a transaction that breaks a rule of the X-chain, or undefined. */
export function avm(cause: Cause): string | undefined {
  const { error } = cause
  return AVM[error.code]?.(error.details, cause)
}

const EMPTY_AVM: Readonly<Record<string, string>> = {
  ImportTx: 'no import inputs',
  ExportTx: 'no export outputs',
  OperationTx: 'an operationTx must have at least one operation',
  CreateAssetTx: 'assets must support at least one Fx',
}

/** Texts of UTXOs that an input or operation cannot spend. */
const UNSPENDABLE: Readonly<Record<string, string>> = {
  type: 'wrong utxo type',
  group: 'wrong unique ID provided',
  payload: 'wrong bytes provided',
}

const AVM: Readonly<Record<string, Reason>> = {
  TXS_EMPTY: (_details, { type }) => EMPTY_AVM[type],
  TXS_NAME: ({ actual, name }) => {
    if (actual !== undefined) return length('name', Number(actual), 128)
    return String(name).trim() === name
      ? "asset's name must be made up of only letters and numbers"
      : 'unexpected whitespace provided'
  },
  TXS_SYMBOL: ({ actual }) =>
    actual === undefined
      ? "asset's symbol must be all upper case letters"
      : length('symbol', Number(actual), 4),
  TXS_FUNDS: () => 'insufficient funds',
  TXS_ASSET_ID: ({ utxo }) =>
    utxo === undefined ? undefined : "asset IDs in the input don't match the utxo",
  TXS_CREDENTIAL: ({ expected, actual, spender, isOfFx }) => {
    if (expected !== undefined) return `wrong number of credentials: ${actual} != ${expected}`
    return spender !== 'operation' && isOfFx === false ? 'incompatible feature extension' : undefined
  },
  TXS_UTXO: ({ rule, operation }) => {
    const isTransferFx = operation === 'MintOperation'
    if (rule === 'count') return `wrong number of ${isTransferFx ? 'utxos' : 'UTXOs'} for the operation`
    if (rule === 'owners')
      return isTransferFx ? 'wrong mint output created from the operation' : 'wrong mint output provided'
    return UNSPENDABLE[String(rule)]
  },
  TXS_ORDER: (_details, { type }) =>
    type === 'OperationTx' ? 'operations not sorted and unique' : 'initial states not sorted and unique',
  TXS_PAYLOAD: () => 'payload too large',
  TXS_INPUTS_ORDER: ({ list }) => (list === undefined ? undefined : 'utxo IDs not sorted and unique'),
  TXS_FX: () => 'unknown feature extension',
  LEDGER_ASSET: ({ known }) => (known === undefined ? 'not found' : 'incompatible feature extension'),
}

function length(what: string, actual: number, most: number): string {
  return actual > most
    ? `${what} is too long, maximum size is ${most}`
    : `${what} is too short, minimum size is 1`
}

/** Returns the node's text for an import or export of the C-chain that breaks a rule, or undefined. */
export function atomic(cause: Cause): string | undefined {
  const { error } = cause
  return ATOMIC[error.code]?.(error.details, cause)
}

const ATOMIC: Readonly<Record<string, Reason>> = {
  TXS_NETWORK_ID: () => 'tx was issued with a different network ID',
  TXS_ASSET_ID: ({ expected, list }, { type }) => {
    if (expected === undefined || list === undefined) return undefined
    return `${type === 'ImportTx' ? 'import' : 'export'} ${list} cannot contain non-AVAX in Banff`
  },
  TXS_OUTPUTS_ORDER: (_details, { type }) =>
    type === 'ImportTx' ? 'outputs not sorted and unique' : 'tx outputs not sorted',
  TXS_SIGNERS: ({ signatures }) =>
    signatures === undefined
      ? undefined
      : `incorrect number of signatures want 1 signature for EVM Input Credential, but got ${signatures}`,
  TXS_EMPTY: (_details, { type, error }) => {
    if (type === 'ExportTx') return 'tx has no export outputs'
    return error.message.includes('output') ? 'tx has no EVM outputs' : 'tx has no imported inputs'
  },
  TXS_CREDENTIAL: ({ expected, actual }, { type }) => {
    if (expected === undefined) return undefined
    if (type === 'ExportTx')
      return `export tx contained incorrect number of credentials want ${expected} got ${actual}`
    return `incorrect number of credentials: (${expected} vs. ${actual})`
  },
}
