import { CheckedHex, Hex, Id } from '@firn/codec'
import { Records } from '@firn/ledger'
import type { Utxos } from '@firn/store'
import { AvmUtxo as Utxo } from '@firn/txs'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import * as Field from '../../http/endpoint/Field.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { UNKNOWN_END, UNKNOWN_ORIGIN, Unknown, type UnknownInput, unknownOf } from '../network/CChain.ts'
import { AssetAmount, assetAmount, assetNamed } from './AssetAmount.ts'
import { Credential } from './Credential.ts'
import { address } from './Owner.ts'
import { amountOf, type Consumer, type Surroundings } from './PlatformUtxo.ts'

/**
 * An X- or C-chain output. It contains some values twice: under the names in X-chain answers and under the names in
 * P-chain answers, such as `creationTxHash` and `txHash`.
 */
export const AvmUtxo = Schema.object(
  'Utxo',
  'An output of the X- or C-chain. Some values appear twice: under the names in X-chain answers and under those in P-chain answers, such as `creationTxHash` and `txHash`.',
  {
    addresses: Field.addresses('Owners of the output'),
    asset: Schema.as(AssetAmount, 'Asset and amount of the output'),
    amount: Field.units('Amount'),
    assetId: Field.cb58('Id of the asset', 'FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z'),
    blockNumber: Field.height('Block of the transaction that created the output'),
    blockTimestamp: Field.seconds('Time of this block'),
    consumedOnChainId: Field.cb58('Blockchain id of the chain on which the output can be consumed'),
    consumingBlockNumber: Schema.optional(Field.height('Block that consumed the output')),
    consumingBlockTimestamp: Schema.optional(Field.seconds('Time of the block that consumed the output')),
    consumingTxHash: Schema.optional(Field.cb58('Id of the transaction that consumed the output')),
    consumingTxTimestamp: Schema.optional(Field.seconds('Time of the transaction that consumed the output')),
    createdOnChainId: Field.cb58('Blockchain id of the chain on which the output was created'),
    creationTxHash: Field.cb58('Id of the transaction that created the output'),
    credentials: Schema.optional(Schema.list(Credential, 'Signatures with which the output was consumed')),
    groupId: Schema.optional(Schema.integer('Group of an NFT', 1)),
    locktime: Field.seconds('Time before which the output cannot be consumed; 0 for none', 0),
    outputIndex: Schema.text(
      'Index of the output in its transaction, as decimal text; a number in P-chain outputs',
      '0',
    ),
    payload: Schema.optional(Field.hex('Payload of an NFT')),
    threshold: Schema.integer('Number of signatures that consuming the output requires', 1),
    timestamp: Field.seconds('Time at which the output was created'),
    txHash: Field.cb58('Id of the transaction that created the output'),
    unknown: Schema.optional(
      Schema.as(Unknown, 'What is not known about the output; absent if all is known'),
    ),
    utxoBytes: Schema.optional(Field.hex('Encoded output with a checksum of four bytes', '0x0000')),
    utxoId: Field.cb58('Id of the output'),
    utxoType: Schema.text('Kind of output: `transfer` or `mint`', 'transfer'),
  },
  ['groupId', 'payload', 'unknown'],
)

/** The `utxoType` in answers for each kind of output. */
const KINDS: Readonly<Record<Records.Output['type'], string>> = {
  TransferOutput: 'transfer',
  LockOut: 'transfer',
  MintOutput: 'mint',
  NftTransferOutput: 'transfer',
  NftMintOutput: 'mint',
  PropertyMintOutput: 'mint',
  PropertyOwnedOutput: 'transfer',
}

/**
 * Returns an X- or C-chain output in the Data API's format. `credentials` contains the signatures with which a
 * transaction consumed the output.
 */
export function avmUtxo(utxo: Utxos.UtxoHistory, around: Surroundings, credentials?: readonly Body[]): Body {
  const { constants, chainIds } = around
  const { output, chain, source, consumed } = utxo
  const { locktime, threshold, addresses } = Records.unlocked(output)
  const asset = assetNamed(around.assets, utxo.assetId)
  const amount = amountOf(output)
  const txHash = Id.format(utxo.txId)
  return {
    addresses: addresses.map((one) => address(one, constants.hrp)),
    asset: assetAmount({ ...asset, isNft: output.type.startsWith('Nft') }, amount),
    amount: String(amount),
    assetId: asset.assetId,
    blockNumber: String(utxo.block.height),
    blockTimestamp: utxo.block.time,
    consumedOnChainId: chainIds[chain],
    consumingBlockNumber: consumed && String(consumed.height),
    consumingBlockTimestamp: consumed?.time,
    consumingTxHash: consumed && Id.format(consumed.txId),
    consumingTxTimestamp: consumed?.time,
    createdOnChainId: chainIds[source],
    creationTxHash: txHash,
    credentials,
    groupId: 'groupID' in output ? output.groupID : undefined,
    locktime,
    outputIndex: String(utxo.outputIndex),
    payload: 'payload' in output ? Hex.encode(output.payload) : undefined,
    threshold,
    timestamp: utxo.block.time,
    txHash,
    utxoBytes: CheckedHex.encode(bytesOf(utxo)),
    utxoId: Id.format(utxo.id),
    utxoType: KINDS[output.type],
    ...(chain === 'C' && !around.followsCChain ? unknownOf(...UNKNOWN_END, 'consumingTxTimestamp') : {}),
  }
}

/** Returns an output of the C-chain that the X-chain imports, if the C-chain is not followed. */
export function unknownAvmUtxo(
  { id, txId, outputIndex, assetId, amount, signers, signatures }: UnknownInput,
  consumer: Consumer,
  { constants, chainIds, assets }: Surroundings,
  credentials: readonly Body[],
): Body {
  const asset = assetNamed(assets, assetId)
  const txHash = Id.format(txId)
  return {
    addresses: signers.map((one) => address(one, constants.hrp)),
    asset: assetAmount(asset, amount),
    amount: String(amount),
    assetId: asset.assetId,
    blockNumber: '',
    blockTimestamp: 0,
    consumedOnChainId: chainIds.X,
    consumingBlockNumber: String(consumer.height),
    consumingBlockTimestamp: consumer.time,
    consumingTxHash: Id.format(consumer.id),
    consumingTxTimestamp: consumer.time,
    createdOnChainId: chainIds.C,
    creationTxHash: txHash,
    credentials,
    locktime: 0,
    outputIndex: String(outputIndex),
    threshold: signatures.length,
    timestamp: 0,
    txHash,
    utxoId: Id.format(id),
    utxoType: 'transfer',
    ...unknownOf(...UNKNOWN_ORIGIN, 'locktime', 'timestamp'),
  }
}

function bytesOf({ txId, outputIndex, assetId, output }: Utxos.UtxoHistory): Uint8Array {
  return Utxo.encode({ txID: txId, outputIndex, assetID: assetId, output } as Utxo.AvmUtxo)
}
