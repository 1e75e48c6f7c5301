import * as Field from '../../http/endpoint/Field.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { AssetAmount } from './AssetAmount.ts'
import { AvmUtxo } from './AvmUtxo.ts'
import { common } from './CommonTransaction.ts'
import { Credential } from './Credential.ts'

const both = {
  txHash: Field.cb58('Id of the transaction'),
  blockHeight: Schema.integer('Number of the block that contains the transaction', 1234567),
  blockHash: Field.hash('Hash of this block'),
  timestamp: Field.seconds('Time of this block'),
  memo: Field.hex('Memo of the transaction', '0x'),
  amountUnlocked: Schema.list(AssetAmount, 'Amounts that the transaction consumed, one for each asset'),
  amountCreated: Schema.list(AssetAmount, 'Amounts that the transaction created, one for each asset'),
  ...common,
  sourceChain: Field.cb58('Blockchain id of the exporting chain'),
  destinationChain: Field.cb58('Blockchain id of the importing chain'),
}

/** An atomic transaction of the C-chain. */
export const AtomicTransaction = Schema.union(
  'CChainAtomicTransaction',
  'An export from the C-chain or an import to it, distinguished by `txType`',
  [
    Schema.object('CChainExportTransaction', 'An export from the C-chain', {
      ...both,
      txType: Schema.constant('ExportTx', 'Type of the transaction'),
      evmInputs: Schema.list(
        Schema.object('EvmInput', 'An amount that an account of the C-chain paid', {
          fromAddress: Field.evmAddress('Account'),
          asset: Schema.as(AssetAmount, 'Amount that the account paid'),
          credentials: Schema.list(Credential, 'Signatures of the account'),
        }),
        'Amounts that accounts paid',
      ),
      consumedUtxos: Schema.list(AvmUtxo, 'Empty, because an export consumes no outputs', { maxItems: 0 }),
      emittedUtxos: Schema.list(AvmUtxo, 'Exported outputs'),
    }),
    Schema.object('CChainImportTransaction', 'An import to the C-chain', {
      ...both,
      txType: Schema.constant('ImportTx', 'Type of the transaction'),
      evmOutputs: Schema.list(
        Schema.object('EvmOutput', 'An amount that an account of the C-chain received', {
          toAddress: Field.evmAddress('Account'),
          asset: Schema.as(AssetAmount, 'Amount that the account received'),
        }),
        'Amounts that accounts received',
      ),
      consumedUtxos: Schema.list(AvmUtxo, 'Imported outputs'),
      emittedUtxos: Schema.list(AvmUtxo, 'Empty, because an import creates no outputs', { maxItems: 0 }),
    }),
  ],
)
