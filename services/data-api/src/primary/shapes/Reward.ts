import { Id, NodeId } from '@firn/codec'
import type { Records } from '@firn/ledger'
import type { StakingRewards } from '@firn/store'
import type { Secp256k1 } from '@firn/txs'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import * as Field from '../../http/endpoint/Field.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { Money } from '../../metadata/Money.ts'
import { AssetAmount, assetAmount, type NamedAsset } from './AssetAmount.ts'
import { address } from './Owner.ts'
import { REWARD_TYPES, type Role } from './PlatformUtxo.ts'

/** Kind of reward. */
export type RewardType = NonNullable<Role['rewardType']>

const stake = {
  addresses: Field.addresses('Addresses that receive the reward'),
  txHash: Field.cb58('Id of the transaction that added the staker'),
  amountStaked: Field.nAvax('Stake'),
  nodeId: Field.nodeId('Validator, or the validator to which the stake is delegated'),
  startTimestamp: Field.seconds('Start of the stake', 1_790_000_000),
  endTimestamp: Field.seconds('End of the stake', 1_800_000_000),
  rewardType: Schema.choice(REWARD_TYPES, 'Kind of reward'),
}

/** A paid reward. */
export const HistoricalReward = Schema.object('HistoricalReward', 'A paid reward', {
  ...stake,
  utxoId: Field.cb58('Id of the output that pays the reward'),
  outputIndex: Schema.integer('Index of this output in its transaction', 1),
  reward: Schema.object(
    'AssetWithPriceInfo',
    'An amount of an asset and its price at the time of the payment',
    {
      ...AssetAmount.properties,
      historicalPrice: Schema.optional(
        Schema.as(Money, 'Price in US dollars at the time of the payment, if it is more than a day old'),
      ),
    },
  ),
  rewardTxHash: Field.cb58('Id of the transaction that paid the reward'),
})

/** A pending reward. */
export const PendingReward = Schema.object(
  'PendingReward',
  'A reward that is paid when the staker leaves, if it is granted',
  {
    ...stake,
    progress: Field.percent('Elapsed part of the staking period at the height of the answer', 52),
    estimatedReward: Schema.as(AssetAmount, 'Expected amount'),
  },
)

/** A reward that is paid when the staker leaves, if it is granted. */
export interface Pending {
  readonly staker: Records.Staker
  readonly rewardType: RewardType
  readonly owner: Secp256k1.OutputOwners
  readonly amount: bigint
}

/** Kind of a paid reward, the transaction that paid it, and the price of the asset at that time. */
export interface RewardOf {
  readonly rewardType: RewardType
  readonly rewardTxId: Uint8Array
  readonly historicalPrice: Body | undefined
}

/** Returns a paid reward in the Data API's format. */
export function historicalReward(
  { utxo, staker }: StakingRewards.Paid,
  owners: readonly Uint8Array[],
  { rewardType, rewardTxId, historicalPrice }: RewardOf,
  asset: NamedAsset,
  hrp: string,
): Body {
  return {
    ...stakeOf(staker, owners, hrp),
    rewardType,
    utxoId: Id.format(utxo.id),
    outputIndex: utxo.outputIndex,
    reward: { ...assetAmount(asset, utxo.amount), historicalPrice },
    rewardTxHash: Id.format(rewardTxId),
  }
}

/** Returns a pending reward in the Data API's format, at the given P-chain time. */
export function pendingReward(
  { staker, rewardType, owner, amount }: Pending,
  now: bigint,
  asset: NamedAsset,
  hrp: string,
): Body {
  const { startTime, endTime } = staker
  const past = Number(now - startTime) / Number(endTime - startTime)
  return {
    ...stakeOf(staker, owner.addresses, hrp),
    rewardType,
    progress: Math.round(Math.min(1, Math.max(0, past)) * 10_000) / 100,
    estimatedReward: assetAmount(asset, amount),
  }
}

function stakeOf(
  { txId, weight, nodeId, startTime, endTime }: Records.Staker,
  owners: readonly Uint8Array[],
  hrp: string,
) {
  return {
    addresses: owners.map((one) => address(one, hrp)),
    txHash: Id.format(txId),
    amountStaked: String(weight),
    nodeId: NodeId.format(nodeId),
    startTimestamp: startTime,
    endTimestamp: endTime,
  }
}
