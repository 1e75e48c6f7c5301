import type { AvmTx } from '@firn/txs'
import * as Field from '../../http/endpoint/Field.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { AssetAmount, assetMembers } from './AssetAmount.ts'
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
export const AssetDetails = Schema.object(
  'XChainAssetDetails',
  'An X-chain asset as its creating transaction defines it',
  {
    ...assetMembers,
    createdAtTimestamp: Field.seconds('Time at which the asset was created'),
    cap: Schema.choice(
      ['fixed', 'variable'],
      'Whether the supply is fixed, or can grow by minting (`variable`)',
    ),
  },
)

/**
 * An X-chain transaction. A transaction from before the chain's linearization (`non-linear`) has vertices instead of a block.
 */
export const AvmTransaction = Schema.object(
  'XChainTransaction',
  'An X-chain transaction. A transaction from before the linearization of the chain has vertices instead of a block.',
  {
    txHash: Field.cb58('Id of the transaction'),
    chainFormat: Schema.choice(
      ['linear', 'non-linear'],
      'Whether the transaction is in a block (`linear`) or in vertices',
    ),
    timestamp: Field.seconds('Time at which the transaction was accepted'),
    txType: Schema.choice(AVM_TX_TYPES, 'Type of the transaction'),
    memo: Field.hex('Memo of the transaction', '0x'),
    blockHeight: Schema.optional(Schema.integer('Number of the block; absent for vertices', 1234567)),
    blockHash: Schema.optional(Field.cb58('Id of the block; absent for vertices')),
    vertices: Schema.optional(
      Schema.list(
        Schema.object('TransactionVertexDetail', 'A vertex that contains a transaction', {
          hash: Field.cb58('Id of the vertex'),
          height: Schema.integer('Height of the vertex', 512),
          timestamp: Field.seconds('Time of the vertex', 1_618_000_000),
        }),
        'Vertices that contain the transaction; absent for blocks',
      ),
    ),
    consumedUtxos: Schema.list(AvmUtxo, 'Outputs that the transaction consumed'),
    emittedUtxos: Schema.list(AvmUtxo, 'Outputs that the transaction created'),
    amountUnlocked: Schema.list(AssetAmount, 'Amounts that the transaction consumed, one for each asset'),
    amountCreated: Schema.list(AssetAmount, 'Amounts that the transaction created, one for each asset'),
    ...common,
    sourceChain: Schema.optional(Field.cb58('Blockchain id of the chain from which an import comes')),
    destinationChain: Schema.optional(Field.cb58('Blockchain id of the chain to which an export goes')),
    assetCreated: Schema.optional(Schema.as(AssetDetails, 'Asset that a CreateAssetTx created')),
  },
  ['vertices', 'sourceChain', 'destinationChain', 'assetCreated'],
)
