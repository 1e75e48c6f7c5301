import { Bytes, Hex } from '@firn/codec'
import { Networks, Rewards } from '@firn/genesis'
import type { Records } from '@firn/ledger'
import { type Snapshot, Stakers, StakingRewards } from '@firn/store'
import type { Secp256k1 } from '@firn/txs'
import type { Endpoint } from '../../http/endpoint/Endpoint.ts'
import { list } from '../../http/endpoint/List.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import type { DataContext } from '../network/Context.ts'
import * as Names from '../network/Names.ts'
import { perBlock, primarySnapshots } from '../network/PrimarySnapshots.ts'
import { assetNamed } from '../shapes/AssetAmount.ts'
import type { AssetDirectory } from '../shapes/AssetDirectory.ts'
import { type Pending, PendingReward, pendingReward, type RewardType } from '../shapes/Reward.ts'
import { assertFilter, rewardFilters } from './rewardFilters.ts'

/**
 * `GET /v1/networks/{network}/rewards:listPending`: expected rewards of the Primary Network's current
 * stakers, sorted by end of staking. A delegator's reward excludes the validator's commission. A validator's
 * commission includes only delegators that have already left.
 */
export function listPendingRewards(context: DataContext, directory: AssetDirectory): Endpoint {
  const { store, tokens, constants, genesis } = context
  return list({
    path: '/v1/networks/{network}/rewards:listPending',
    operationId: 'listPendingPrimaryNetworkRewards',
    summary: 'Pending rewards of addresses, or for staking on nodes',
    tag: 'Primary Network',
    scope: 'data',
    units: 20,
    version: perBlock(context),
    pathParameters: { network: Names.network(context) },
    queryParameters: rewardFilters(context),
    pageSize: { fallback: 10, maximum: 100 },
    snapshots: primarySnapshots(store),
    tokens,
    responseName: 'ListPendingRewardsResponse',
    response: { pendingRewards: Schema.list(PendingReward, 'Rewards of the page') },
    read: async ({ query, at, after, limit }) => {
      assertFilter(query)
      const { addresses, nodeIds, sortOrder: order } = query
      const found: Pending[] = []
      let last = keyOfToken(after)
      for (;;) {
        // Read the previous page's last staker again, because some of its rewards may be on this page.
        const next = { addresses, nodeIds, order, from: last, limit: limit + 1 }
        const stakers = await StakingRewards.stakers(store, at, next)
        found.push(...(await rewardsOf(context, at, stakers, { addresses, order, last })))
        const end = stakers.at(-1)
        if (found.length >= limit || stakers.length <= limit || end === undefined)
          return found.slice(0, limit)
        last = {
          endTime: end.endTime,
          txId: end.txId,
          rewardType: ORDER.at(order === 'asc' ? -1 : 0) as RewardType,
        }
      }
    },
    keyOf: ({ staker, rewardType }) => [
      String(staker.endTime),
      Hex.encodeBare(staker.txId),
      String(ORDER.indexOf(rewardType)),
    ],
    body: async (page, { at }) => {
      const { avaxAssetId } = genesis
      const assets = await directory.of([avaxAssetId])
      const asset = assetNamed(assets, avaxAssetId)
      return { pendingRewards: page.map((one) => pendingReward(one, at.P.time, asset, constants.hrp)) }
    },
  })
}

/** Order of the rewards of one staker. */
const ORDER: readonly RewardType[] = ['VALIDATOR', 'DELEGATOR', 'VALIDATOR_FEE']

interface Last extends StakingRewards.Leaving {
  readonly rewardType: RewardType
}

function keyOfToken(after: readonly string[] | undefined): Last | undefined {
  if (after === undefined) return undefined
  const [endTime = '0', txId = '', place = '0'] = after
  return {
    endTime: BigInt(endTime),
    txId: Hex.decodeBare(txId),
    rewardType: ORDER[Number(place)] ?? 'VALIDATOR',
  }
}

interface RewardsRequest {
  readonly addresses: readonly Uint8Array[] | undefined
  readonly order: 'asc' | 'desc'
  readonly last: Last | undefined
}

async function rewardsOf(
  { store }: DataContext,
  at: Snapshot,
  stakers: readonly Records.Staker[],
  { addresses, order, last }: RewardsRequest,
): Promise<Pending[]> {
  const delegators = stakers.filter(({ role }) => role === 'delegator')
  const nodeIds = delegators.map(({ nodeId }) => nodeId)
  const validators =
    nodeIds.length === 0 ? [] : await Stakers.validators(store, at, Networks.PRIMARY_NETWORK_ID, nodeIds)
  const shares = new Map(validators.map((one) => [Hex.encodeBare(one.nodeId), one.shares]))
  const sign = order === 'asc' ? 1 : -1
  const isBehind = ({ staker, rewardType }: Pending) =>
    last === undefined ||
    !Bytes.equals(staker.txId, last.txId) ||
    (ORDER.indexOf(rewardType) - ORDER.indexOf(last.rewardType)) * sign > 0
  const isOwned = ({ owner }: Pending) =>
    addresses === undefined ||
    owner.addresses.some((one) => addresses.some((address) => Bytes.equals(one, address)))
  return stakers
    .flatMap((staker) => {
      const rewards = rewardsOfOne(staker, shares.get(Hex.encodeBare(staker.nodeId)) ?? 0)
      return order === 'asc' ? rewards : rewards.reverse()
    })
    .filter((one) => one.amount > 0n && isBehind(one) && isOwned(one))
}

function rewardsOfOne(staker: Records.Staker, validatorShares: number): Pending[] {
  const { rewardsOwner, delegationRewardsOwner, potentialReward, delegateeReward } = staker
  const reward = (rewardType: RewardType, owner: Secp256k1.OutputOwners | undefined, amount: bigint) =>
    owner === undefined ? [] : [{ staker, rewardType, owner, amount }]
  if (staker.role === 'delegator') {
    return reward('DELEGATOR', rewardsOwner, Rewards.split(potentialReward, validatorShares).remainder)
  }
  return [
    ...reward('VALIDATOR', rewardsOwner, potentialReward),
    ...reward('VALIDATOR_FEE', delegationRewardsOwner, delegateeReward),
  ]
}
