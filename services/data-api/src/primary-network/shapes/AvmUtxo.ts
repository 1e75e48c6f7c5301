import { CheckedHex, Hex, Id } from '@firn/codec'
import { Records } from '@firn/ledger'
import type { Utxos } from '@firn/store'
import { AvmUtxo as Utxo } from '@firn/txs'
import { Type } from 'typebox'
import type { Body } from '../../front/Endpoint.ts'
import { UNKNOWN_END, UNKNOWN_ORIGIN, Unknown, type UnknownInput, unknownOf } from '../CChain.ts'
import { AssetAmount, assetAmount, assetNamed } from './AssetAmount.ts'
import { Credential } from './Credential.ts'
import { address } from './Owner.ts'
import { amountOf, type Consumer, type Surroundings } from './PlatformUtxo.ts'

/**
 * An X- or C-chain output. It contains some values twice: under the names in X-chain answers and under the names in
 * P-chain answers, such as `creationTxHash` and `txHash`.
 */
export const AvmUtxo = Type.Object({
  addresses: Type.Array(Type.String()),
  asset: AssetAmount,
  amount: Type.String(),
  assetId: Type.String(),
  blockNumber: Type.String(),
  blockTimestamp: Type.Number(),
  consumedOnChainId: Type.String(),
  consumingBlockNumber: Type.Optional(Type.String()),
  consumingBlockTimestamp: Type.Optional(Type.Number()),
  consumingTxHash: Type.Optional(Type.String()),
  consumingTxTimestamp: Type.Optional(Type.Number()),
  createdOnChainId: Type.String(),
  creationTxHash: Type.String(),
  credentials: Type.Optional(Type.Array(Credential)),
  groupId: Type.Optional(Type.Number()),
  locktime: Type.Number(),
  outputIndex: Type.String({ description: 'always a string, whereas P-chain outputs contain a number' }),
  payload: Type.Optional(Type.String()),
  threshold: Type.Number(),
  timestamp: Type.Number(),
  txHash: Type.String(),
  unknown: Type.Optional(Unknown),
  utxoBytes: Type.Optional(Type.String()),
  utxoId: Type.String(),
  utxoType: Type.String(),
})

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
    blockNumber: String(utxo.height),
    blockTimestamp: utxo.time,
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
    timestamp: utxo.time,
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
