import type { UnsignedTx } from '@firn/txs'
import { Type } from 'typebox'
import { AssetAmount } from './AssetAmount.ts'
import { BlsCredentials } from './L1Validator.ts'
import { SubnetOwnershipInfo } from './Owner.ts'
import { PlatformUtxo } from './PlatformUtxo.ts'
import { L1ValidatorManagerDetails } from './Subnet.ts'

/** Data API name of each P-chain transaction type. Types that clients do not know are `UNKNOWN`. */
const NAMES = {
  AddValidatorTx: 'AddValidatorTx',
  AddSubnetValidatorTx: 'AddSubnetValidatorTx',
  AddDelegatorTx: 'AddDelegatorTx',
  CreateChainTx: 'CreateChainTx',
  CreateSubnetTx: 'CreateSubnetTx',
  ImportTx: 'ImportTx',
  ExportTx: 'ExportTx',
  AdvanceTimeTx: 'AdvanceTimeTx',
  RewardValidatorTx: 'RewardValidatorTx',
  RemoveSubnetValidatorTx: 'RemoveSubnetValidatorTx',
  TransformSubnetTx: 'TransformSubnetTx',
  AddPermissionlessValidatorTx: 'AddPermissionlessValidatorTx',
  AddPermissionlessDelegatorTx: 'AddPermissionlessDelegatorTx',
  BaseTx: 'BaseTx',
  TransferSubnetOwnershipTx: 'TransferSubnetOwnershipTx',
  ConvertSubnetToL1Tx: 'ConvertSubnetToL1Tx',
  RegisterL1ValidatorTx: 'RegisterL1ValidatorTx',
  SetL1ValidatorWeightTx: 'SetL1ValidatorWeightTx',
  DisableL1ValidatorTx: 'DisableL1ValidatorTx',
  IncreaseL1ValidatorBalanceTx: 'IncreaseL1ValidatorBalanceTx',
  AddAutoRenewedValidatorTx: 'UNKNOWN',
  SetAutoRenewedValidatorConfigTx: 'UNKNOWN',
  RewardAutoRenewedValidatorTx: 'UNKNOWN',
} as const satisfies { readonly [T in UnsignedTx.TxType]: T | 'UNKNOWN' }

/** Data API names of all P-chain transaction types. */
export const PLATFORM_TX_TYPES = [...new Set(Object.values(NAMES))]

/** Returns the Data API name of a P-chain transaction type. */
export function platformTxType(name: string): (typeof PLATFORM_TX_TYPES)[number] {
  return Object.hasOwn(NAMES, name) ? NAMES[name as UnsignedTx.TxType] : 'UNKNOWN'
}

/** Returns the ledger's type names for the Data API type `type`. */
export function ledgerNames(type: string): readonly string[] {
  return type === 'UNKNOWN' ? Object.keys(NAMES).filter((name) => platformTxType(name) === type) : [type]
}

/** State of an L1 validator after a transaction. */
export const L1ValidatorDetails = Type.Object({
  validationId: Type.String(),
  validationIdHex: Type.String(),
  nodeId: Type.String(),
  subnetId: Type.String(),
  weight: Type.Number(),
  remainingBalance: Type.Number(),
  balanceChange: Type.Optional(Type.Number()),
  blsCredentials: Type.Optional(BlsCredentials),
})

const amounts = Type.Array(AssetAmount)

/** A P-chain transaction. */
export const PlatformTransaction = Type.Object({
  txHash: Type.String(),
  txType: Type.Enum([...PLATFORM_TX_TYPES]),
  blockTimestamp: Type.Number(),
  blockNumber: Type.String(),
  blockHash: Type.String(),
  memo: Type.Optional(Type.String()),
  rewardTxHash: Type.Optional(Type.String()),
  rewardAddresses: Type.Optional(Type.Array(Type.String())),
  estimatedReward: Type.Optional(Type.String()),
  startTimestamp: Type.Optional(Type.Number()),
  endTimestamp: Type.Optional(Type.Number()),
  delegationFeePercent: Type.Optional(Type.String()),
  nodeId: Type.Optional(Type.String()),
  subnetId: Type.Optional(Type.String()),
  l1ValidatorManagerDetails: Type.Optional(L1ValidatorManagerDetails),
  l1ValidatorDetails: Type.Optional(Type.Array(L1ValidatorDetails)),
  consumedUtxos: Type.Array(PlatformUtxo),
  emittedUtxos: Type.Array(PlatformUtxo),
  sourceChain: Type.Optional(Type.String()),
  destinationChain: Type.Optional(Type.String()),
  value: amounts,
  amountBurned: amounts,
  amountStaked: amounts,
  amountL1ValidatorBalanceBurned: amounts,
  subnetOwnershipInfo: Type.Optional(SubnetOwnershipInfo),
  blsCredentials: Type.Optional(BlsCredentials),
  stakingTxHash: Type.Optional(Type.String()),
  blockchainInfo: Type.Optional(
    Type.Object({
      chainName: Type.String(),
      vmId: Type.String(),
      genesisData: Type.Optional(Type.Unknown()),
    }),
  ),
})
