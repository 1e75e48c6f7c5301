/**
 * The reference's names of the types that its codecs know, and of the interfaces that fields require. Error texts about
 * malformed transactions contain them.
 */
export interface GoTypes {
  /** Names of the registered types by type id. */
  readonly types: Readonly<Record<number, string>>
  /** Name of the interface of the unsigned transaction, of a credential and of an unknown field. */
  readonly unsignedTx: string
  readonly credential: string
}

/** Names of interfaces by field. The unsigned transaction and credentials differ between chains. */
const INTERFACES: Readonly<Record<string, string>> = {
  input: 'avax.TransferableIn',
  output: 'avax.TransferableOut',
  outputs: 'verify.State',
  operation: 'fxs.FxOperation',
  signer: 'signer.Signer',
  owner: 'fx.Owner',
  newOwner: 'fx.Owner',
  rewardsOwner: 'fx.Owner',
  validationRewardsOwner: 'fx.Owner',
  delegationRewardsOwner: 'fx.Owner',
  validatorAuthority: 'fx.Owner',
  subnetAuthorization: 'verify.Verifiable',
  disableAuthorization: 'verify.Verifiable',
  auth: 'verify.Verifiable',
  signature: 'warp.Signature',
}

/** Returns the name of the interface that the field at `path` requires. */
export function interfaceAt({ unsignedTx, credential }: GoTypes, path: string): string {
  const field = /(\w+)(?:\[\d+\])?$/.exec(path)?.[1] ?? ''
  if (field === 'unsignedTx') return unsignedTx
  return field === 'credentials' ? credential : (INTERFACES[field] ?? field)
}

/** Returns names by type id; the first one has the id `from`. */
function numbered(from: number, prefix: string, names: string): Record<number, string> {
  return Object.fromEntries(names.split(' ').map((name, i) => [from + i, `*${prefix}.${name}`]))
}

/** Types of the P-chain. */
export const PLATFORM: GoTypes = {
  types: {
    5: '*secp256k1fx.TransferInput',
    7: '*secp256k1fx.TransferOutput',
    ...numbered(9, 'secp256k1fx', 'Credential Input OutputOwners'),
    ...numbered(12, 'txs', 'AddValidatorTx AddSubnetValidatorTx AddDelegatorTx CreateChainTx CreateSubnetTx'),
    ...numbered(17, 'txs', 'ImportTx ExportTx AdvanceTimeTx RewardValidatorTx'),
    ...numbered(21, 'stakeable', 'LockIn LockOut'),
    ...numbered(23, 'txs', 'RemoveSubnetValidatorTx TransformSubnetTx'),
    ...numbered(25, 'txs', 'AddPermissionlessValidatorTx AddPermissionlessDelegatorTx'),
    ...numbered(27, 'signer', 'Empty ProofOfPossession'),
    ...numbered(33, 'txs', 'TransferSubnetOwnershipTx BaseTx ConvertSubnetToL1Tx RegisterL1ValidatorTx'),
    ...numbered(37, 'txs', 'SetL1ValidatorWeightTx IncreaseL1ValidatorBalanceTx DisableL1ValidatorTx'),
    ...numbered(40, 'txs', 'AddAutoRenewedValidatorTx SetAutoRenewedValidatorConfigTx'),
    42: '*txs.RewardAutoRenewedValidatorTx',
  },
  unsignedTx: 'txs.UnsignedTx',
  credential: 'verify.Verifiable',
}

/** Types of the X-chain. The chain's block type is registered too. */
export const AVM: GoTypes = {
  types: {
    ...numbered(0, 'txs', 'BaseTx CreateAssetTx OperationTx ImportTx ExportTx'),
    ...numbered(5, 'secp256k1fx', 'TransferInput MintOutput TransferOutput MintOperation Credential'),
    ...numbered(10, 'nftfx', 'MintOutput TransferOutput MintOperation TransferOperation Credential'),
    ...numbered(15, 'propertyfx', 'MintOutput OwnedOutput MintOperation BurnOperation Credential'),
    20: '*block.StandardBlock',
  },
  unsignedTx: 'txs.UnsignedTx',
  credential: 'verify.Verifiable',
}

/** Types of imports and exports of the C-chain before Helicon. */
export const ATOMIC: GoTypes = {
  types: {
    ...numbered(0, 'atomic', 'UnsignedImportTx UnsignedExportTx'),
    5: '*secp256k1fx.TransferInput',
    7: '*secp256k1fx.TransferOutput',
    ...numbered(9, 'secp256k1fx', 'Credential Input OutputOwners'),
  },
  unsignedTx: 'atomic.UnsignedAtomicTx',
  credential: 'verify.Verifiable',
}

/** Types of imports and exports of the C-chain since Helicon. */
export const ATOMIC_HELICON: GoTypes = {
  types: {
    ...numbered(0, 'tx', 'Import Export'),
    5: '*secp256k1fx.TransferInput',
    7: '*secp256k1fx.TransferOutput',
    9: '*secp256k1fx.Credential',
  },
  unsignedTx: 'tx.Unsigned',
  credential: 'tx.Credential',
}

/** Types of signed Warp messages. */
export const WARP: GoTypes = {
  types: { 0: '*warp.BitSetSignature' },
  unsignedTx: '',
  credential: '',
}
