import { Id } from '@firn/codec'
import { Networks } from '@firn/genesis'
import { database } from '@firn/sql/testing'
import { Blocks, Stakers, type Store } from '@firn/store'
import { recordedStore } from '@firn/store/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import { createPageTokens } from '../http/endpoint/PageToken.ts'
import { all, client } from '../testing/client.ts'
import { createEvm } from '../testing/serveEvm.ts'
import { getStakingMetric } from './getStakingMetric.ts'

const METRICS = ['delegatorCount', 'delegatorWeight', 'validatorCount', 'validatorWeight'] as const
const DAY = 86_400n

async function serve(store: Store) {
  const network = await store.network()
  if (network === undefined) throw new Error('the store contains no network')
  const endpoint = getStakingMetric({
    store,
    ...network,
    networkNames: new Map(['fuji', 'testnet', 'local'].map((name) => [name, 'fuji'])),
    tokens: createPageTokens(new Uint8Array(32).fill(1)),
    now: () => 1_795_220_000_000,
    aggregate: undefined,
  })
  return createEvm([endpoint])
}

/**
 * Returns a metric at the end of each day, newest first, calculated each time from all stakers of that time.
 */
async function plain(store: Store, name: (typeof METRICS)[number], subnetId: Uint8Array) {
  const latest = await store.snapshot()
  const points: { value: bigint; timestamp: number }[] = []
  for (let day = latest.P.time - (latest.P.time % DAY); ; day -= DAY) {
    const at = await Blocks.snapshotAt(store, latest, day + DAY - 1n)
    if (at === undefined) return points
    const { validators, delegatorCount, delegatedWeight } = await Stakers.totals(store, at, subnetId)
    const values = {
      delegatorCount,
      delegatorWeight: delegatedWeight,
      validatorCount: validators.length,
      validatorWeight: validators.reduce((sum, { weight }) => sum + weight, 0n),
    }
    points.push({ value: BigInt(values[name]), timestamp: Number(day) })
  }
}

describe.each(['local', 'helicon'] as const)('staking metrics of the %s network', (name) => {
  let store: Store
  beforeAll(async () => {
    store = await recordedStore(name)
  })

  test.each(METRICS)('returns the value of %s at the end of each day', async (metric) => {
    const server = await serve(store)
    const path = `/v2/networks/local/metrics/${metric}?pageSize=2160&subnetId=${Id.format(Networks.PRIMARY_NETWORK_ID)}`
    const { results } = (await server.inject(path)).json()
    const points = await plain(store, metric, Networks.PRIMARY_NETWORK_ID)
    expect(results).toEqual(points.map(({ value, timestamp }) => ({ value: Number(value), timestamp })))
  })

  test.each(METRICS)('returns the sum of %s over all subnets if none is given', async (metric) => {
    const server = await serve(store)
    const { body } = await server.inject(`/v2/networks/local/metrics/${metric}?pageSize=2160`)
    const { results } = JSON.parse(body)
    const stakers = await database(store).selectFrom('staker').select('subnet_id').distinct().execute()
    const all = await Promise.all(stakers.map((one) => plain(store, metric, one.subnet_id)))
    const sums = all[0]?.map(({ timestamp }, i) => ({
      timestamp,
      value: Number(all.reduce((sum, points) => sum + (points[i]?.value ?? 0n), 0n)),
    }))
    expect(stakers.length).toBeGreaterThan(name === 'local' ? 1 : 0)
    expect(results).toEqual(sums)
    // No client reads a rounded value in silence.
    expect([...body.matchAll(/"value":(\d+)/g)].filter(([, text]) => String(Number(text)) !== text)).toEqual(
      [],
    )
  })
})

test('filters staking metrics by time range and subnet, and supports page tokens', async () => {
  const store = await recordedStore('local')
  const server = await serve(store)
  const ask = async (query: string) =>
    (await server.inject(`/v2/networks/fuji/metrics/validatorCount?${query}`)).json()
  const whole = (await ask('pageSize=2160')).results
  const first = await ask('pageSize=1')
  expect(first.results).toEqual(whole.slice(0, 1))
  if (whole.length > 1)
    expect((await ask(`pageToken=${first.nextPageToken}`)).results).toEqual(whole.slice(1))
  const [newest] = whole
  expect((await ask(`startTimestamp=${newest.timestamp}`)).results).toEqual([newest])
  expect((await ask(`endTimestamp=${newest.timestamp}&pageSize=2160`)).results).toEqual(whole.slice(1))
  expect((await ask('pageToken=next')).statusCode).toBe(400)
  expect((await ask(`subnetId=${Id.format(new Uint8Array(32).fill(9))}`)).statusCode).toBe(404)
  expect((await server.inject('/v2/networks/fuji/metrics/sunshine')).statusCode).toBe(400)
})

test('returns staking metrics to the official client', async () => {
  const store = await recordedStore('local')
  const server = await serve(store)
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const { metrics } = client(url)
  for (const metric of METRICS) {
    const subnetId = Id.format(Networks.PRIMARY_NETWORK_ID)
    const pages = await all(metrics.networks.getStakingMetrics({ network: 'fuji', metric, subnetId }))
    expect(pages.flatMap(({ results }) => results).length).toBeGreaterThan(0)
  }
  await server.close()
})
