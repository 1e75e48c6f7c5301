import { Bytes, Id } from '@firn/codec'
import * as Codec from '@firn/codec/Codec'
import type { Chain } from '../avax/BaseTx.ts'
import * as TransferableInput from '../avax/TransferableInput.ts'
import * as TransferableOutput from '../avax/TransferableOutput.ts'
import * as Owners from '../fx/Owners.ts'
import {
  assertBase,
  assertHasStake,
  assertIn,
  assertNodeId,
  assertOut,
  assertPositive,
  assertProof,
  assertShares,
  assertSigner,
  assertStake,
  assertSubnet,
  assertTxId,
  assertVerifiable,
  assertWeight,
  inPart,
  refuse,
} from '../internal/platformChecks.ts'
import { assertParameters } from '../internal/subnetParameters.ts'
import * as Stakeable from './Stakeable.ts'
import type { L1Validator, Of, TxType, UnsignedTx } from './UnsignedTx.ts'

/** Maximum length of a blockchain's name in bytes. */
export const MAX_NAME = 128
/** Maximum size of a blockchain's genesis in bytes. */
export const MAX_GENESIS = 1024 * 1024
/** Maximum size in bytes of the address of an L1's validator manager. */
export const MAX_MANAGER_ADDRESS = 4096

/** The network and chain that transactions are checked against. */
export interface Context {
  readonly networkId: number
  /** Id of the asset that is staked on the Primary Network. */
  readonly avaxAssetId: Uint8Array
}

/**
 * Checks a transaction without the chain's state, in the order of the node's `SyntacticVerify`. Verifies
 * proofs of possession, but not other signatures, fees or times.
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { PlatformSyntax, type UnsignedTx } from '@firn/txs'
 *
 * declare const tx: UnsignedTx.UnsignedTx
 * const avaxAssetId = Id.parse('FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z')
 * PlatformSyntax.assertValid(tx, { networkId: 1, avaxAssetId })
 * ```
 * @throws TxsError with the first reason for which the node rejects the transaction
 */
export function assertValid(tx: UnsignedTx, { networkId, avaxAssetId }: Context): void {
  const check = CHECKS[tx.type] as (tx: UnsignedTx, context: Full) => void
  check(tx, { avaxAssetId, chain: { networkId, blockchainId: Id.EMPTY } })
}

interface Full {
  readonly avaxAssetId: Uint8Array
  readonly chain: Chain
}

const CHECKS: { readonly [T in TxType]: (tx: Of<T>, context: Full) => void } = {
  BaseTx: (tx, { chain }) => assertBase(tx, chain),
  AddValidatorTx(tx, { chain, avaxAssetId }) {
    assertShares(tx.shares)
    assertBase(tx, chain)
    inPart('staker', () => {
      assertPositive('weight', tx.validator.weight)
      Owners.assertValid(tx.rewardsOwner)
    })
    assertStake(tx.stake, avaxAssetId)
    assertWeight(tx.validator.weight, tx.stake)
  },
  AddSubnetValidatorTx(tx, { chain }) {
    assertSubnet(tx.validator.subnetID)
    assertBase(tx, chain)
    assertPositive('weight', tx.validator.weight)
    assertVerifiable(tx.subnetAuthorization)
  },
  AddDelegatorTx(tx, { chain, avaxAssetId }) {
    assertBase(tx, chain)
    inPart('staker', () => {
      assertPositive('weight', tx.validator.weight)
      Owners.assertValid(tx.rewardsOwner)
    })
    assertStake(tx.stake, avaxAssetId)
    assertWeight(tx.validator.weight, tx.stake)
  },
  CreateChainTx(tx, { chain }) {
    assertSubnet(tx.subnetID)
    assertChain(tx)
    assertBase(tx, chain)
    assertVerifiable(tx.subnetAuthorization)
  },
  CreateSubnetTx(tx, { chain }) {
    assertBase(tx, chain)
    Owners.assertValid(tx.owner)
  },
  ImportTx(tx, { chain }) {
    if (tx.importedInputs.length === 0) refuse('TXS_EMPTY', 'expected at least one imported input, got none')
    assertBase(tx, chain)
    inPart('imported input', () => tx.importedInputs.forEach(assertIn))
    TransferableInput.assertSortedAndUnique(tx.importedInputs)
  },
  ExportTx(tx, { chain }) {
    if (tx.exportedOutputs.length === 0)
      refuse('TXS_EMPTY', 'expected at least one exported output, got none')
    assertBase(tx, chain)
    for (const out of tx.exportedOutputs) {
      inPart('exported output', () => assertOut(out))
      if (out.output.type === 'LockOut')
        refuse('TXS_LOCKTIME', 'expected an exported output without a lock, got a locked one', {
          rule: 'unlocked',
        })
    }
    TransferableOutput.assertSorted(Stakeable.Output, tx.exportedOutputs)
  },
  // Nodes, not users, create transactions of the next three types. The node checks only the fields of
  // RewardAutoRenewedValidatorTx.
  AdvanceTimeTx: () => undefined,
  RewardValidatorTx: () => undefined,
  RewardAutoRenewedValidatorTx(tx) {
    assertTxId(tx.txID)
    assertPositive('timestamp', tx.timestamp)
  },
  RemoveSubnetValidatorTx(tx, { chain }) {
    assertSubnet(tx.subnetID)
    assertBase(tx, chain)
    assertVerifiable(tx.subnetAuthorization)
  },
  TransformSubnetTx(tx, { chain, avaxAssetId }) {
    assertSubnet(tx.subnetID)
    assertParameters(tx, avaxAssetId)
    assertBase(tx, chain)
    assertVerifiable(tx.subnetAuthorization)
  },
  AddPermissionlessValidatorTx(tx, { chain }) {
    assertNodeId(tx.validator.nodeID)
    assertHasStake(tx.stake)
    assertShares(tx.shares)
    assertBase(tx, chain)
    inPart('staker', () => {
      assertPositive('weight', tx.validator.weight)
      assertSigner(tx.signer)
      Owners.assertValid(tx.validationRewardsOwner)
      Owners.assertValid(tx.delegationRewardsOwner)
    })
    assertKey(tx)
    assertStake(tx.stake)
    assertWeight(tx.validator.weight, tx.stake)
  },
  AddPermissionlessDelegatorTx(tx, { chain }) {
    assertHasStake(tx.stake)
    assertBase(tx, chain)
    inPart('staker', () => {
      assertPositive('weight', tx.validator.weight)
      Owners.assertValid(tx.rewardsOwner)
    })
    assertStake(tx.stake)
    assertWeight(tx.validator.weight, tx.stake)
  },
  TransferSubnetOwnershipTx(tx, { chain }) {
    assertSubnet(tx.subnetID)
    assertBase(tx, chain)
    assertVerifiable(tx.subnetAuthorization)
    Owners.assertValid(tx.newOwner)
  },
  ConvertSubnetToL1Tx(tx, { chain }) {
    assertSubnet(tx.subnetID)
    assertConversion(tx)
    assertBase(tx, chain)
    tx.validators.forEach(assertL1Validator)
    assertVerifiable(tx.subnetAuthorization)
  },
  RegisterL1ValidatorTx: (tx, { chain }) => assertBase(tx, chain),
  SetL1ValidatorWeightTx: (tx, { chain }) => assertBase(tx, chain),
  IncreaseL1ValidatorBalanceTx(tx, { chain }) {
    assertPositive('balance', tx.balance)
    assertBase(tx, chain)
  },
  DisableL1ValidatorTx(tx, { chain }) {
    assertBase(tx, chain)
    assertVerifiable(tx.disableAuthorization)
  },
  AddAutoRenewedValidatorTx(tx, { chain, avaxAssetId }) {
    assertHasStake(tx.stake)
    assertShares(tx.delegationShares)
    assertShares(tx.autoCompoundRewardShares, 'compounding')
    assertPositive('period', tx.period)
    assertNodeId(tx.nodeID)
    assertBase(tx, chain)
    inPart('staker', () => {
      assertSigner(tx.signer)
      Owners.assertValid(tx.validationRewardsOwner)
      Owners.assertValid(tx.delegationRewardsOwner)
      Owners.assertValid(tx.validatorAuthority)
    })
    if (tx.signer.type === 'Empty') refuse('TXS_SIGNER', 'expected a BLS key, got none')
    assertStake(tx.stake, avaxAssetId)
  },
  SetAutoRenewedValidatorConfigTx(tx, { chain }) {
    assertTxId(tx.txID)
    assertShares(tx.autoCompoundRewardShares, 'compounding')
    assertBase(tx, chain)
    assertVerifiable(tx.auth)
  },
}

function assertChain({ chainName, vmID: vmId, fxIDs: fxIds, genesisData }: Of<'CreateChainTx'>): void {
  const length = Codec.string.size(chainName) - 2
  if (length > MAX_NAME) refuse('TXS_NAME', `expected a name of at most ${MAX_NAME} bytes, got ${length}`)
  if (Bytes.isZero(vmId)) refuse('TXS_VM_ID', 'expected the id of a virtual machine, got the zero id')
  if (!isAscending(fxIds)) refuse('TXS_ORDER', 'expected sorted, unique ids of feature extensions')
  if (genesisData.length > MAX_GENESIS)
    refuse('TXS_GENESIS', `expected a genesis of at most ${MAX_GENESIS} bytes, got ${genesisData.length}`)
  if (!/^[A-Za-z0-9 ]*$/.test(chainName))
    refuse(
      'TXS_NAME',
      `expected a name of ASCII letters, digits and spaces, got ${JSON.stringify(chainName)}`,
    )
}

/** Checks that a BLS key is present on the Primary Network and absent on other subnets. */
function assertKey({ signer, subnetID: subnetId }: Of<'AddPermissionlessValidatorTx'>): void {
  const isPrimary = Bytes.isZero(subnetId)
  if ((signer.type === 'ProofOfPossession') === isPrimary) return
  refuse(
    'TXS_SIGNER',
    isPrimary
      ? 'expected a BLS key, got none'
      : 'expected no BLS key, because the subnet is not the Primary Network',
  )
}

function assertConversion({ address, validators }: Of<'ConvertSubnetToL1Tx'>): void {
  if (address.length > MAX_MANAGER_ADDRESS)
    refuse(
      'TXS_MANAGER_ADDRESS',
      `expected a manager address of at most ${MAX_MANAGER_ADDRESS} bytes, got ${address.length}`,
    )
  if (validators.length === 0) refuse('TXS_EMPTY', 'expected at least one validator, got none')
  if (!isAscending(validators.map(({ nodeID: nodeId }) => nodeId)))
    refuse('TXS_ORDER', 'expected validators sorted by node id without duplicates')
}

function assertL1Validator(validator: L1Validator): void {
  assertPositive('weight', validator.weight)
  assertNodeId(validator.nodeID)
  assertProof(validator.signer)
  Owners.assertValid(validator.remainingBalanceOwner)
  Owners.assertValid(validator.deactivationOwner)
}

function isAscending(items: readonly Uint8Array[]): boolean {
  return items.every((item, i) => i === 0 || Bytes.compare(items[i - 1] as Uint8Array, item) < 0)
}
