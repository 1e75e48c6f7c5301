import { Id } from '@firn/codec'
import { Blocks, type Snapshot, Stakers, type Store, Subnets } from '@firn/store'
import { LRUCache } from 'lru-cache'
import { DataApiError } from '../http/endpoint/DataApiError.ts'
import { define, type Endpoint } from '../http/endpoint/Endpoint.ts'
import * as Parameter from '../http/endpoint/Parameter.ts'
import type { DataContext } from '../primary/network/Context.ts'
import * as Names from '../primary/network/Names.ts'
import { MetricsApiResponse, pageToken } from './parameters.ts'
import * as SeriesToken from './SeriesToken.ts'
import { createUuidTokens } from './UuidTokens.ts'

/** For each metric, the stakers that it includes, and whether it counts them or adds up their weights. */
const METRICS = {
  delegatorCount: ['delegator', 'count'],
  delegatorWeight: ['delegator', 'weight'],
  validatorCount: ['validator', 'count'],
  validatorWeight: ['validator', 'weight'],
} as const
type Name = keyof typeof METRICS

const DAY = 86_400n

/**
 * `GET /v2/networks/{network}/metrics/{metric}`: number or stake of the stakers of a subnet, or of all
 * subnets together, at the end of each day.
 */
export function getStakingMetric(context: DataContext): Endpoint {
  const { store } = context
  const tokens = createUuidTokens(context.tokens, context.now)
  const history = createHistory(store)
  return define({
    method: 'GET',
    path: '/v2/networks/{network}/metrics/{metric}',
    operationId: 'getStakingMetrics',
    summary:
      'Number or stake of the validators or delegators of a subnet, or of all subnets, by day, newest first',
    tag: 'Metrics',
    scope: 'metrics',
    units: 100,
    pathParameters: {
      network: Names.network(context),
      metric: Parameter.choice(Object.keys(METRICS) as readonly Name[]),
    },
    queryParameters: {
      subnetId: Parameter.optional(Names.id),
      startTimestamp: Parameter.optional(Parameter.timestamp),
      endTimestamp: Parameter.optional(Parameter.timestamp),
      pageSize: Parameter.integer(1, 2_160, 100),
      pageToken,
    },
    response: MetricsApiResponse,
    handle: async ({ path, query }) => {
      const { subnetId, startTimestamp: from } = query
      const name = JSON.stringify(['staking', path.metric, nameOf(subnetId)])
      const given = { interval: undefined, from, pageToken: query.pageToken }
      const kept = SeriesToken.open(tokens, name, given)
      const at = await store.snapshot()
      SeriesToken.assertReached(kept, at.P.time)
      const values = await history(at, subnetId, path.metric)
      const until = SeriesToken.least(kept?.until, query.endTimestamp)
      const remaining = values.filter(({ timestamp }) => {
        const isLater = timestamp >= ((kept === undefined ? from : kept.from) ?? 0n)
        return isLater && (until === undefined || timestamp < until)
      })
      const page = remaining.slice(0, query.pageSize)
      const last = page.at(-1)
      const next =
        remaining.length > page.length && last !== undefined
          ? { interval: 'day' as const, from: kept === undefined ? from : kept.from, until: last.timestamp }
          : undefined
      const nextPageToken = next && SeriesToken.seal(tokens, name, next)
      // Clients read values as numbers. A stake of over 2^53 nAVAX is rounded here, so that each of them reads the same.
      const results = page.map(({ value, timestamp }) => ({ value: Number(value), timestamp }))
      return { body: { nextPageToken, results }, height: at.P.height, time: at.P.time }
    },
  })
}

type Point = {
  readonly value: bigint
  readonly timestamp: bigint
}

/** Maximum number of subnets whose history is cached. */
const MAX_KEPT = 100

/**
 * Creates a function that returns a metric's values for all days, newest first. A subnet's history is cached for the
 * rest of the day, because past days never change and the read scans all stakers of the subnet.
 */
function createHistory(
  store: Store,
): (at: Snapshot, subnetId: Uint8Array | undefined, name: Name) => Promise<readonly Point[]> {
  const kept = new LRUCache<string, Promise<readonly Stakers.StakeChange[]>>({ max: MAX_KEPT })
  const until = (at: Snapshot, today: bigint, subnetId: Uint8Array | undefined) => {
    const key = `${today} ${nameOf(subnetId)}`
    const known = kept.get(key)
    if (known !== undefined) return known
    const read = Blocks.snapshotAt(store, at, today - 1n).then((before) =>
      before === undefined ? [] : Stakers.stakeChanges(store, subnetId, before.P.height),
    )
    kept.set(key, read)
    read.catch(() => kept.delete(key))
    return read
  }
  return async (at, subnetId, name) => {
    const today = at.P.time - (at.P.time % DAY)
    const [role, member] = METRICS[name]
    const [changes, current] = await Promise.all([
      until(at, today, subnetId),
      Stakers.currentStakes(store, at, subnetId),
    ])
    const isEmpty = changes.length === 0 && current.length === 0
    if (isEmpty && subnetId !== undefined) await assertSubnet(store, at, subnetId)
    const ofRole = changes.filter((change) => change.role === role)
    const values = new Map(ofRole.map((change) => [change.day, change[member]]))
    const now = current.find((stakes) => stakes.role === role)?.[member] ?? 0n
    const points: Point[] = []
    let value = 0n
    for (let day = changes[0]?.day ?? today; day < today; day += DAY) {
      value += values.get(day) ?? 0n
      points.push({ value, timestamp: day })
    }
    points.push({ value: now, timestamp: today })
    return points.reverse()
  }
}

function nameOf(subnetId: Uint8Array | undefined): string {
  return subnetId === undefined ? 'all' : Id.format(subnetId)
}

/**
 * Throws if the network has no subnet with this id.
 * @throws DataApiError `DATA_NOT_FOUND`
 */
async function assertSubnet(store: Store, at: Snapshot, subnetId: Uint8Array): Promise<void> {
  if ((await Subnets.detailsById(store, at, subnetId)) !== undefined) return
  throw new DataApiError('DATA_NOT_FOUND', 'subnetId: this network has no such subnet')
}
