import { Hex } from '@firn/codec'
import { Records } from '@firn/ledger'
import { type Snapshot, StakingRewards } from '@firn/store'
import type { Body, Endpoint } from '../../http/endpoint/Endpoint.ts'
import { list } from '../../http/endpoint/List.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { type Currency, currency } from '../../metadata/Currency.ts'
import { money } from '../../metadata/Money.ts'
import type { DataContext } from '../network/Context.ts'
import * as Names from '../network/Names.ts'
import { perBlock, primarySnapshots } from '../network/PrimarySnapshots.ts'
import { place, placeKey } from '../network/place.ts'
import { rewardRoles } from '../platform/rewardRoles.ts'
import { assetNamed } from '../shapes/AssetAmount.ts'
import type { AssetDirectory } from '../shapes/AssetDirectory.ts'
import { HistoricalReward, historicalReward } from '../shapes/Reward.ts'
import { assertFilter, rewardFilters } from './rewardFilters.ts'

/** `GET /v1/networks/{network}/rewards`: paid rewards of the Primary Network, newest first. */
export function listRewards(context: DataContext, directory: AssetDirectory): Endpoint {
  const { store, tokens } = context
  return list({
    path: '/v1/networks/{network}/rewards',
    operationId: 'listHistoricalPrimaryNetworkRewards',
    summary: 'Rewards paid to addresses, or for staking on nodes',
    tag: 'Primary Network',
    scope: 'data',
    units: 20,
    version: perBlock(context),
    pathParameters: { network: Names.network(context) },
    queryParameters: { ...rewardFilters(context), currency },
    pageSize: { fallback: 10, maximum: 100 },
    snapshots: primarySnapshots(store),
    tokens,
    responseName: 'ListHistoricalRewardsResponse',
    response: { historicalRewards: Schema.list(HistoricalReward, 'Rewards of the page') },
    read: ({ query, at, after, limit }) => {
      assertFilter(query)
      const { addresses, nodeIds, sortOrder: order } = query
      return StakingRewards.paid(store, at, { addresses, nodeIds, order, after: place(after), limit })
    },
    keyOf: placeKey,
    body: async (page, { at, query }) => ({
      historicalRewards: await shapes(context, directory, at, page, query.currency),
    }),
  })
}

async function shapes(
  context: DataContext,
  directory: AssetDirectory,
  at: Snapshot,
  page: readonly StakingRewards.Paid[],
  currency: Currency,
): Promise<Body[]> {
  const { store, constants } = context
  const utxos = page.map(({ utxo }) => utxo)
  const [roles, assets] = await Promise.all([
    rewardRoles(store, at, utxos),
    directory.of(utxos.map(({ assetId }) => assetId)),
  ])
  return page.flatMap((paid) => {
    const role = roles.get(Hex.encodeBare(paid.utxo.id))
    if (role?.rewardType === undefined) return []
    const { rewardType, facts } = role
    const { addresses } = Records.unlocked(paid.utxo.output)
    // For an auto-renewed validator, the reward is created under the id of the reward transaction itself.
    const paidBy = facts.reward ?? facts.listed
    const historicalPrice = money(currency, formerPrice(context, currency, paid.utxo.assetId, paidBy.time))
    const reward = { rewardType, rewardTxId: paidBy.id, historicalPrice }
    const asset = assetNamed(assets, paid.utxo.assetId)
    return [historicalReward(paid, addresses, reward, asset, constants.hrp)]
  })
}

/** Time after which the price at the time of a payment is shown, in seconds. */
const HISTORICAL_AFTER = 86_400n

function formerPrice({ metadata, now }: DataContext, currency: Currency, assetId: Uint8Array, time: bigint) {
  const isOld = BigInt(Math.floor(now() / 1_000)) - time > HISTORICAL_AFTER
  return isOld ? metadata?.priceAt(metadata.assetPriceId(assetId), currency, time) : undefined
}
