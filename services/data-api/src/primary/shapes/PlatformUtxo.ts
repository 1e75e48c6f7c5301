import { CheckedHex, Id } from '@firn/codec'
import type { Networks } from '@firn/genesis'
import { Records } from '@firn/ledger'
import type { Transactions, Utxos } from '@firn/store'
import { AvmUtxo, PlatformUtxo as Utxo } from '@firn/txs'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import * as Field from '../../http/endpoint/Field.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { UNKNOWN_END, UNKNOWN_ORIGIN, Unknown, type UnknownInput, unknownOf } from '../network/CChain.ts'
import { AssetAmount, assetAmount, assetNamed, type NamedAsset, type Share, sums } from './AssetAmount.ts'
import { address } from './Owner.ts'

/** Kinds of reward. */
export const REWARD_TYPES = ['VALIDATOR', 'DELEGATOR', 'VALIDATOR_FEE'] as const

/** An output of the P-chain, or an output exported to or from the P-chain. */
export const PlatformUtxo = Schema.object(
  'PChainUtxo',
  'An output of the P-chain, or an output exported to or from the P-chain',
  {
    addresses: Field.addresses('Owners of the output'),
    asset: Schema.as(AssetAmount, 'Asset and amount of the output'),
    amount: Field.units('Amount'),
    assetId: Field.cb58('Id of the asset', 'FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z'),
    blockNumber: Field.height(
      'Block of the transaction that created the output; of a reward, the block of the transaction that paid it',
    ),
    blockTimestamp: Field.seconds('Time of this block'),
    consumedOnChainId: Field.cb58('Blockchain id of the chain on which the output can be consumed'),
    createdOnChainId: Field.cb58('Blockchain id of the chain on which the output was created'),
    consumingBlockNumber: Schema.optional(Field.height('Block of the transaction that consumed the output')),
    consumingBlockTimestamp: Schema.optional(Field.seconds('Time of the block that consumed the output')),
    consumingTxHash: Schema.optional(Field.cb58('Id of the transaction that consumed the output')),
    outputIndex: Schema.integer('Index of the output in its transaction', 0),
    platformLocktime: Schema.optional(
      Field.seconds('Time before which the output cannot be consumed; 0 for none', 0),
    ),
    rewardType: Schema.optional(Schema.choice(REWARD_TYPES, 'Kind of reward that the output pays')),
    stakeableLocktime: Schema.optional(
      Field.seconds('Time before which the output can only be staked', 1_800_000_000),
    ),
    staked: Schema.optional(Schema.flag('Whether the output is staked', false)),
    threshold: Schema.optional(Schema.integer('Number of signatures that consuming the output requires', 1)),
    txHash: Field.cb58('Id of the transaction that created the output'),
    unknown: Schema.optional(
      Schema.as(Unknown, 'What is not known about the output; absent if all is known'),
    ),
    utxoBytes: Schema.optional(Field.hex('Encoded output with a checksum of four bytes', '0x0000')),
    utxoEndTimestamp: Schema.optional(Field.seconds('End of the stake', 1_800_000_000)),
    utxoId: Field.cb58('Id of the output'),
    utxoStartTimestamp: Schema.optional(Field.seconds('Start of the stake', 1_790_000_000)),
    utxoType: Schema.choice(['TRANSFER', 'STAKE'], 'Whether the output is a stake or can be transferred'),
  },
  ['rewardType', 'stakeableLocktime', 'unknown', 'utxoEndTimestamp', 'utxoStartTimestamp'],
)

/** Network and asset data that formatting an answer needs. */
export interface Surroundings {
  readonly constants: Networks.Constants
  readonly chainIds: { readonly P: string; readonly X: string; readonly C: string }
  readonly assets: ReadonlyMap<string, NamedAsset>
  /** Whether the database follows the C-chain, and so knows what became of exports to it. */
  readonly followsCChain: boolean
}

/** Additional facts about an output. */
export interface Role {
  readonly rewardType?: (typeof REWARD_TYPES)[number] | undefined
  /** Staking status and period, for an output in a transaction's list of stakes. */
  readonly stake?:
    | { readonly isStaked: boolean; readonly start: bigint; readonly end: bigint | undefined }
    | undefined
}

/** Returns an output in the Data API's format. */
export function platformUtxo(
  utxo: Utxos.UtxoHistory,
  around: Surroundings,
  { rewardType, stake }: Role = {},
): Body {
  const { constants, chainIds } = around
  const { output, chain, source, consumed } = utxo
  const { locktime, threshold, addresses } = Records.unlocked(output)
  const asset = assetNamed(around.assets, utxo.assetId)
  const amount = amountOf(output)
  return {
    addresses: addresses.map((one) => address(one, constants.hrp)),
    asset: assetAmount(asset, amount),
    amount: String(amount),
    assetId: asset.assetId,
    blockNumber: String(utxo.block.height),
    blockTimestamp: utxo.block.time,
    consumedOnChainId: chainIds[chain],
    createdOnChainId: chainIds[source],
    consumingBlockNumber: consumed && String(consumed.height),
    consumingBlockTimestamp: consumed?.time,
    consumingTxHash: consumed && Id.format(consumed.txId),
    outputIndex: utxo.outputIndex,
    platformLocktime: chain === source ? locktime : undefined,
    rewardType,
    stakeableLocktime: output.type === 'LockOut' ? output.locktime : undefined,
    staked: stake?.isStaked ?? false,
    threshold,
    txHash: Id.format(utxo.txId),
    utxoBytes: CheckedHex.encode(bytesOf(utxo)),
    utxoEndTimestamp: stake?.end,
    utxoId: Id.format(utxo.id),
    utxoStartTimestamp: stake?.start,
    utxoType: stake === undefined && utxo.origin !== 'stake' ? 'TRANSFER' : 'STAKE',
    ...(chain === 'C' && !around.followsCChain ? unknownOf(...UNKNOWN_END) : {}),
  }
}

/** The transaction that consumed an output. */
export type Consumer = Pick<Transactions.Details, 'id' | 'height' | 'time'>

/** Returns an output of the C-chain that the P-chain imports, if the C-chain is not followed. */
export function unknownPlatformUtxo(
  { id, txId, outputIndex, assetId, amount, signers, signatures }: UnknownInput,
  consumer: Consumer,
  { constants, chainIds, assets }: Surroundings,
): Body {
  const asset = assetNamed(assets, assetId)
  return {
    addresses: signers.map((one) => address(one, constants.hrp)),
    asset: assetAmount(asset, amount),
    amount: String(amount),
    assetId: asset.assetId,
    blockNumber: '',
    blockTimestamp: 0,
    consumedOnChainId: chainIds.P,
    createdOnChainId: chainIds.C,
    consumingBlockNumber: String(consumer.height),
    consumingBlockTimestamp: consumer.time,
    consumingTxHash: Id.format(consumer.id),
    outputIndex,
    staked: false,
    threshold: signatures.length,
    txHash: Id.format(txId),
    utxoId: Id.format(id),
    utxoType: 'TRANSFER',
    ...unknownOf(...UNKNOWN_ORIGIN),
  }
}

/**
 * Returns the total amount of each asset in the Data API's format. Totals of zero, and totals for which `isListed`
 * returns false, are omitted.
 */
export function amountsOf(
  shares: Iterable<Share>,
  around: Surroundings,
  isListed: (sum: bigint) => boolean = () => true,
): Body[] {
  const listed = sums(shares).filter(({ amount }) => isListed(amount))
  return listed.map(({ assetId, amount }) => assetAmount(assetNamed(around.assets, assetId), amount))
}

/** Returns the amounts of the given outputs. */
export function sharesOf(utxos: readonly Utxos.UtxoHistory[]): Share[] {
  return utxos.map(({ assetId, output }) => ({ assetId, amount: amountOf(output) }))
}

/** Returns the amount of an output, or 0 for an output without an amount. */
export function amountOf(output: Records.Output): bigint {
  const inner = Records.unlocked(output)
  return 'amount' in inner ? (inner.amount as bigint) : 0n
}

function bytesOf({ txId, outputIndex, assetId, output, source }: Utxos.UtxoHistory): Uint8Array {
  const fields = { txID: txId, outputIndex, assetID: assetId, output }
  return source === 'P' ? Utxo.encode(fields as Utxo.PlatformUtxo) : AvmUtxo.encode(fields as AvmUtxo.AvmUtxo)
}
