import { Hex } from '@firn/codec'
import { Networks, Rewards } from '@firn/genesis'
import { type Snapshot, Stakers, Supplies } from '@firn/store'
import type { Endpoint } from '../../http/endpoint/Endpoint.ts'
import { list } from '../../http/endpoint/List.ts'
import * as Parameter from '../../http/endpoint/Parameter.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { addresses } from '../network/AddressParameter.ts'
import type { DataContext } from '../network/Context.ts'
import * as Names from '../network/Names.ts'
import { perBlock, primarySnapshots } from '../network/PrimarySnapshots.ts'
import { type StakerReward, stakerRewards } from '../network/stakerRewards.ts'
import { Delegator, type DelegatorFacts, delegator } from '../shapes/Delegator.ts'

/** Maximum number of nodes per request. */
const MAX_NODES = 64
const SECOND = 1_000_000_000n
const PRIMARY = Networks.PRIMARY_NETWORK_ID

/**
 * `GET /v1/networks/{network}/delegators`: delegations on the Primary Network, sorted by start time, latest
 * first.
 */
export function listDelegators(context: DataContext): Endpoint {
  const { store, tokens, constants } = context
  return list({
    path: '/v1/networks/{network}/delegators',
    operationId: 'listDelegators',
    summary: 'Current and past delegations on the Primary Network',
    tag: 'Primary Network',
    scope: 'data',
    units: 20,
    version: perBlock(context),
    pathParameters: { network: Names.network(context) },
    queryParameters: {
      rewardAddresses: Parameter.optional(addresses(constants.hrp)),
      nodeIds: Parameter.optional(Parameter.list('NodeIDs', MAX_NODES, Names.parseNodeId)),
      delegationStatus: Parameter.optional(Parameter.choice(['completed', 'active', 'pending'])),
      sortOrder: Parameter.choice(['asc', 'desc'], 'desc'),
    },
    pageSize: { fallback: 10, maximum: 100 },
    snapshots: primarySnapshots(store),
    tokens,
    responseName: 'ListDelegatorDetailsResponse',
    response: { delegators: Schema.list(Delegator, 'Delegations of the page') },
    read: ({ query, at, after, limit }) => {
      const { rewardAddresses, nodeIds, delegationStatus: status, sortOrder: order } = query
      const filter = {
        role: 'delegator',
        subnetId: PRIMARY,
        nodeIds,
        rewardAddresses,
        status,
      } as const
      return Stakers.page(store, at, { ...filter, after: placeOfToken(after), order, limit })
    },
    keyOf: ({ staker }) => [String(staker.startTime), Hex.encodeBare(staker.txId)],
    body: async (page, { at }) => {
      const facts = await delegatorFacts(context, at, page)
      return { delegators: facts.map((one) => delegator(one, constants.hrp)) }
    },
  })
}

function placeOfToken(after: readonly string[] | undefined): Stakers.Start | undefined {
  if (after === undefined) return undefined
  const [startTime = '0', txId = ''] = after
  return { startTime: BigInt(startTime), txId: Hex.decodeBare(txId) }
}

async function delegatorFacts(
  { store, constants }: DataContext,
  at: Snapshot,
  page: readonly Stakers.Details[],
): Promise<DelegatorFacts[]> {
  const left = page.filter(({ end }) => end !== undefined)
  const [validators, rewards, supply] = await Promise.all([
    Stakers.validatorsAt(
      store,
      PRIMARY,
      page.map(({ staker: { nodeId }, end }) => ({
        nodeId,
        height: end ? end.height - 1n : at.P.height,
      })),
    ),
    stakerRewards(store, at, left),
    Supplies.bySubnet(store, at, PRIMARY),
  ])
  return page.map((listed, i) => {
    const reward = rewards.get(Hex.encodeBare(listed.staker.txId))
    return {
      listed,
      shares: validators[i]?.shares ?? 0,
      gross: grossOf(listed, reward, supply ?? 0n, constants),
    }
  })
}

/**
 * Returns the reward before the validator's commission. The reward of a pending delegator is fixed only when the
 * delegation starts, so it is estimated from the current supply.
 */
function grossOf(
  { staker, status }: Stakers.Details,
  reward: StakerReward | undefined,
  currentSupply: bigint,
  { reward: config, upgrades }: Networks.Constants,
): bigint {
  const { potentialReward, startTime, endTime, weight: amount } = staker
  if (status === 'active') return potentialReward
  if (status !== 'pending') return reward?.isRewarded === true ? potentialReward : 0n
  const stake = { duration: (endTime - startTime) * SECOND, amount, currentSupply }
  return Rewards.calculatePrimary(config, upgrades.helicon, startTime, stake)
}
