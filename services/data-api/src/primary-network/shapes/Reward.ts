import { Id, NodeId } from '@firn/codec'
import type { Records } from '@firn/ledger'
import type { StakingRewards } from '@firn/store'
import type { Secp256k1 } from '@firn/txs'
import { Type } from 'typebox'
import type { Body } from '../../front/Endpoint.ts'
import { AssetAmount, assetAmount, type NamedAsset } from './AssetAmount.ts'
import { address } from './Owner.ts'
import type { Role } from './PlatformUtxo.ts'

/** Kind of reward. */
export type RewardType = NonNullable<Role['rewardType']>

const stake = {
  addresses: Type.Array(Type.String()),
  txHash: Type.String(),
  amountStaked: Type.String(),
  nodeId: Type.String(),
  startTimestamp: Type.Number(),
  endTimestamp: Type.Number(),
  rewardType: Type.Enum(['VALIDATOR', 'DELEGATOR', 'VALIDATOR_FEE']),
}

/** A paid reward. */
export const HistoricalReward = Type.Object({
  ...stake,
  utxoId: Type.String(),
  outputIndex: Type.Number(),
  reward: AssetAmount,
  rewardTxHash: Type.String(),
})

/** A pending reward. */
export const PendingReward = Type.Object({
  ...stake,
  progress: Type.Number({
    description: 'elapsed percentage of the staking period at the height of the answer',
  }),
  estimatedReward: AssetAmount,
})

/** A reward that is paid when the staker leaves, if it is granted. */
export interface Pending {
  readonly staker: Records.Staker
  readonly rewardType: RewardType
  readonly owner: Secp256k1.OutputOwners
  readonly amount: bigint
}

/** Returns a paid reward in the Data API's format. */
export function historicalReward(
  { utxo, staker }: StakingRewards.Paid,
  owners: readonly Uint8Array[],
  { rewardType, rewardTxId }: { readonly rewardType: RewardType; readonly rewardTxId: Uint8Array },
  asset: NamedAsset,
  hrp: string,
): Body {
  return {
    ...stakeOf(staker, owners, hrp),
    rewardType,
    utxoId: Id.format(utxo.id),
    outputIndex: utxo.outputIndex,
    reward: assetAmount(asset, utxo.amount),
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
