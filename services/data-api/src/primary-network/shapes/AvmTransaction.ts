import type { AvmTx } from '@firn/txs'
import { Type } from 'typebox'
import { AssetAmount } from './AssetAmount.ts'
import { AvmUtxo } from './AvmUtxo.ts'
import { common } from './CommonTransaction.ts'

/** Data API name of each X-chain transaction type. */
const NAMES = {
  BaseTx: 'BaseTx',
  CreateAssetTx: 'CreateAssetTx',
  OperationTx: 'OperationTx',
  ImportTx: 'ImportTx',
  ExportTx: 'ExportTx',
} as const satisfies { readonly [T in AvmTx.TxType]: T | 'UNKNOWN' }

/** Data API names of all X-chain transaction types. */
export const AVM_TX_TYPES = [...Object.values(NAMES), 'UNKNOWN'] as const

/** An asset as defined by its creating transaction. */
export const AssetDetails = Type.Object({
  assetId: Type.String(),
  name: Type.String(),
  symbol: Type.String(),
  denomination: Type.Number(),
  type: Type.Enum(['secp256k1', 'nft']),
  createdAtTimestamp: Type.Number(),
  cap: Type.Enum(['fixed', 'variable']),
})

/**
 * An X-chain transaction. A transaction from before the chain's linearization (`non-linear`) has vertices instead of a block.
 */
export const AvmTransaction = Type.Object({
  txHash: Type.String(),
  chainFormat: Type.Enum(['linear', 'non-linear']),
  timestamp: Type.Number(),
  txType: Type.Enum([...AVM_TX_TYPES]),
  memo: Type.String(),
  blockHeight: Type.Optional(Type.Number()),
  blockHash: Type.Optional(Type.String()),
  vertices: Type.Optional(
    Type.Array(Type.Object({ hash: Type.String(), height: Type.Number(), timestamp: Type.Number() })),
  ),
  consumedUtxos: Type.Array(AvmUtxo),
  emittedUtxos: Type.Array(AvmUtxo),
  amountUnlocked: Type.Array(AssetAmount),
  amountCreated: Type.Array(AssetAmount),
  ...common,
  sourceChain: Type.Optional(Type.String()),
  destinationChain: Type.Optional(Type.String()),
  assetCreated: Type.Optional(AssetDetails),
})
