import { Hex } from '@firn/codec'
import { BlockReader } from '@firn/evm'
import { type InventedParts, inventedChain, recordedChain } from '@firn/evm/testing'
import { EvmCreations, type EvmStore, EvmWriter } from '@firn/evm-store'
import { openEvm, recordedEvmStore, TEST_CHAIN } from '@firn/evm-store/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { all, client } from '../testing/client.ts'
import { plainMetrics } from '../testing/plainMetrics.ts'
import type { Answered } from '../testing/serve.ts'
import { listenMetrics, serveMetrics } from '../testing/serveMetrics.ts'
import { METRIC_NAMES, METRICS } from './Metrics.ts'

const C = 43_112
const UNTRACED = 1_338
const NOW = Date.parse('2026-11-21T12:00:00Z')

interface Point {
  readonly value: number
  readonly timestamp: number
}

let stores: readonly EvmStore[]
let now = NOW
let ask: (url: string) => Promise<Answered>
const invented = inventedChain({ seed: 5, transactions: [1, 3] })

beforeAll(async () => {
  const [long, untraced] = await Promise.all([openEvm(), openEvm({ chainId: BigInt(UNTRACED) })])
  const writer = await EvmWriter.open(long, { ...TEST_CHAIN, network: 'mainnet' })
  await writer.commit(invented.grow(120).map((parts) => ({ block: BlockReader.read(parts), contracts: [] })))
  await EvmWriter.open(untraced, { ...TEST_CHAIN, chainId: BigInt(UNTRACED), hasTraces: false })
  stores = [await recordedEvmStore('c'), long, untraced]
  ask = await serveMetrics(stores, { now: () => now })
})

afterAll(() => Promise.all(stores.slice(1).map((store) => store.close())))

const metric = (name: string, query = '', chain: string | number = 1337) =>
  ask(`/v2/chains/${chain}/metrics/${name}?${query}`)

/** Returns the pages of a list by following the page tokens. */
async function pages(url: string, read: (json: Answered['json']) => unknown[]): Promise<unknown[][]> {
  const found: unknown[][] = []
  let token: string | undefined
  do {
    const { status, json } = await ask(token === undefined ? url : `${url}&pageToken=${token}`)
    expect(status).toBe(200)
    found.push(read(json))
    token = json.nextPageToken
  } while (token !== undefined)
  return found
}

describe('GET metrics/{metric}', () => {
  test.each(METRIC_NAMES)('returns %s of a recorded chain for each interval', async (name) => {
    const plain = plainMetrics(recordedChain('c') as unknown as InventedParts[])
    // The chain's first block is from 1970, so requesting hourly points of every metric would take too long.
    const intervals = name === 'txCount' ? (['hour', 'day'] as const) : (['day', 'week', 'month'] as const)
    for (const interval of intervals) {
      const { status, json } = await metric(name, `timeInterval=${interval}&pageSize=2160`, C)
      if (METRICS[name].isDaily && interval !== 'day') {
        expect([status, json.message]).toEqual([
          400,
          expect.stringContaining(`timeInterval: expected day, the only interval of ${name}`),
        ])
        continue
      }
      expect(status).toBe(200)
      const starts = plain.starts(interval, { from: -1e12, until: 1e12 }).slice(0, 2_160)
      const expected = starts.map((start) => ({
        value: Number(plain.value(name, interval, start)),
        timestamp: start,
      }))
      expect(json.results).toEqual(expected)
    }
  })

  test('counts the same contracts as the lists of deployments, without undone creations', async () => {
    const store = stores[1] as EvmStore
    const at = await store.snapshot()
    const senders = new Set(
      invented.blocks.flatMap(({ receipts }) =>
        receipts.map((receipt) => String((receipt as { readonly from?: string }).from)),
      ),
    )
    const lists = await Promise.all(
      [...senders].map((sender) =>
        EvmCreations.ofDeployer(store, at, Hex.decode(sender), { after: undefined, limit: 10_000 }),
      ),
    )
    const listed = lists.flat().length
    const tried = invented.blocks.flatMap(({ traces }) => JSON.stringify(traces).match(/"CREATE2?"/g) ?? [])
    expect(listed).toBeGreaterThan(20)
    expect(tried.length).toBeGreaterThan(listed)
    const { json } = await metric('contracts', 'pageSize=2160')
    expect(json.results.reduce((sum: number, { value }: Point) => sum + value, 0)).toBe(listed)
    const windows = await ask('/v2/chains/1337/rollingWindowMetrics/contracts')
    expect(windows.json.result.allTime).toBe(listed)
  })

  test('returns days by default, newest first and without gaps', async () => {
    const { json } = await metric('txCount', 'pageSize=2160')
    const times = json.results.map(({ timestamp }: Point) => timestamp)
    expect(times.length).toBeGreaterThan(50)
    for (const [i, time] of times.entries()) expect(time).toBe(times[0] - 86_400 * i)
    expect(json).not.toHaveProperty('nextPageToken')
  })

  test('includes the point at startTimestamp and excludes the point at endTimestamp', async () => {
    const { json } = await metric('txCount', 'pageSize=2160')
    const [, second, , fourth] = json.results as Point[]
    const within = async (start = 0, end = 0) =>
      (await metric('txCount', `startTimestamp=${start}&endTimestamp=${end}`)).json.results.length
    expect(await within(fourth?.timestamp, second?.timestamp)).toBe(2)
    expect(await within((fourth?.timestamp ?? 0) + 1, (second?.timestamp ?? 0) + 1)).toBe(2)
    expect(await within(second?.timestamp, second?.timestamp)).toBe(0)
    expect(await within(0, 1)).toBe(0)
    expect(await within(4_000_000_000, 5_000_000_000)).toBe(0)
  })

  test('returns values above 2^53 exactly', async () => {
    const plain = plainMetrics(invented.blocks)
    const [start = 0] = plain.starts('month', { from: 0, until: 1e12 })
    const fees = plain.value('feesPaid', 'month', start)
    expect(fees).toBeGreaterThan(2 ** 53)
    const { url, close } = await listenMetrics(stores)
    const answer = await fetch(`${url}/v2/chains/1337/metrics/feesPaid?timeInterval=month&pageSize=1`)
    expect(await answer.text()).toContain(`{"value":${fees},"timestamp":${start}}`)
    await close()
  })

  test.each([
    ['an unknown metric', 400, '/v2/chains/1337/metrics/sunshine'],
    ['an unknown chain', 404, '/v2/chains/1/metrics/txCount'],
    ['an invalid chain id', 400, '/v2/chains/nowhere/metrics/txCount'],
    ['an unknown interval', 400, '/v2/chains/1337/metrics/txCount?timeInterval=year'],
    ['a page size of 0', 400, '/v2/chains/1337/metrics/txCount?pageSize=0'],
    ['too large a page size', 400, '/v2/chains/1337/metrics/txCount?pageSize=2161'],
    ['a token that is not a UUID', 400, '/v2/chains/1337/metrics/txCount?pageToken=next'],
    ['hourly values of a daily metric', 400, '/v2/chains/1337/metrics/maxTps?timeInterval=hour'],
    ['creations without traces', 404, `/v2/chains/${UNTRACED}/metrics/contracts`],
    ['deployers without traces', 404, `/v2/chains/${UNTRACED}/metrics/cumulativeDeployers`],
  ])('rejects %s', async (_, status, url) => {
    const answer = await ask(url)
    expect(answer.status).toBe(status)
    expect(answer.json).toEqual({
      message: expect.any(String),
      error: expect.any(String),
      statusCode: status,
    })
  })

  test('returns no points for a chain without blocks, or for a network without chains', async () => {
    expect((await metric('txCount', '', UNTRACED)).json).toEqual({ results: [] })
    const none = await serveMetrics([])
    expect((await none('/v2/chains/mainnet/metrics/contracts')).json).toEqual({ results: [] })
  })

  test('returns the sum over the chains of a network, and treats local chains as testnets', async () => {
    const [total, mainnet, testnet] = await Promise.all(
      ['total', 'mainnet', 'testnet'].map(
        async (name) => (await metric('cumulativeTxCount', '', name)).json.results,
      ),
    )
    expect(mainnet).toEqual((await metric('cumulativeTxCount')).json.results)
    expect(testnet).toEqual((await metric('cumulativeTxCount', '', C)).json.results)
    expect(total[0].value).toBe(mainnet[0].value + testnet[0].value)
  })
})

describe('pages of a metric', () => {
  const values = (json: Answered['json']) => json.results
  const whole = async (query: string) => (await metric('txCount', `${query}&pageSize=2160`)).json.results

  test('continues from a page token if the request has no filters or the same filters as the first page', async () => {
    const filters = 'timeInterval=week&startTimestamp=1709000000&endTimestamp=1999999999'
    const expected = await whole(filters)
    expect(expected.length).toBeGreaterThan(4)
    for (const query of [filters, '']) {
      const first = await metric('txCount', `${filters}&pageSize=2`)
      const rest = []
      for (let token = first.json.nextPageToken; token !== undefined; ) {
        const { status, json } = await metric('txCount', `${query}&pageSize=3&pageToken=${token}`)
        expect(status).toBe(200)
        rest.push(...json.results)
        token = json.nextPageToken
      }
      expect([...first.json.results, ...rest]).toEqual(expected)
    }
    const [count] = (await pages('/v2/chains/1337/metrics/txCount?pageSize=2160', values)).map(
      (page) => page.length,
    )
    expect(count).toBeGreaterThan(50)
  })

  test('returns the first page for an expired, unknown or foreign token, and ignores an empty token', async () => {
    const first = await metric('txCount', 'pageSize=2')
    const token: string = first.json.nextPageToken
    const second = (await metric('txCount', `pageSize=2&pageToken=${token}`)).json.results
    expect(second).not.toEqual(first.json.results)
    const begun = (query: string, name = 'txCount') => metric(name, `pageSize=2&pageToken=${query}`)
    expect((await begun('')).json.results).toEqual(first.json.results)
    expect((await begun('123e4567-e89b-42d3-a456-426614174000')).json.results).toEqual(first.json.results)
    expect((await begun(token, 'gasUsed')).json.results.map(({ timestamp }: Point) => timestamp)).toEqual(
      first.json.results.map(({ timestamp }: Point) => timestamp),
    )
    now = NOW + 23 * 3_600_000
    expect((await begun(token)).json.results).toEqual(second)
    now = NOW + 25 * 3_600_000
    expect((await begun(token)).json.results).toEqual(first.json.results)
    now = NOW
  })

  test('rejects filters that differ from the first page', async () => {
    const { json } = await metric('txCount', 'timeInterval=week&startTimestamp=1709000000&pageSize=2')
    for (const other of ['timeInterval=day', 'startTimestamp=1719000000']) {
      const { status } = await metric('txCount', `${other}&pageToken=${json.nextPageToken}`)
      expect(status).toBe(400)
    }
  })

  test('accepts page tokens of a different replica', async () => {
    const other = await serveMetrics(stores, { now: () => now })
    const { json } = await metric('txCount', 'pageSize=2')
    const query = `/v2/chains/1337/metrics/txCount?pageSize=2&pageToken=${json.nextPageToken}`
    expect((await other(query)).json).toEqual((await ask(query)).json)
  })
})

test('serves the average transactions per second at the deprecated path', async () => {
  const { json } = await ask('/v1/avg_tps/1337')
  const daily = (await metric('avgTps', 'pageSize=100')).json
  expect(json.results).toEqual(daily.results.map(({ value, timestamp }: Point) => ({ timestamp, value })))
  const last = invented.blocks.at(-1)?.block['timestamp']
  expect(json).toMatchObject({ status: 200, lastRun: Number(last), nextPageStartKey: json.nextPageToken })
  const next = await ask(`/v1/avg_tps/1337?startKey=${json.nextPageToken}`)
  expect(next.json.results[0].timestamp).toBe(json.results.at(-1).timestamp - 86_400)
  const [day] = json.results
  const one = await ask(`/v1/avg_tps/total?from=${day.timestamp}&to=${day.timestamp + 1}`)
  expect(one.json.results.map(({ timestamp }: Point) => timestamp)).toEqual([day.timestamp])
})

test('returns rolling windows as totals of whole hours and days', async () => {
  const plain = plainMetrics(invented.blocks)
  const last = Number(invented.blocks.at(-1)?.block['timestamp'])
  const [hour, day] = [3_600, 86_400].map((length) => last - (last % length)) as [number, number]
  const starts = {
    lastHour: hour,
    lastDay: hour - 23 * 3_600,
    lastWeek: day - 6 * 86_400,
    lastMonth: day - 29 * 86_400,
    last90Days: day - 89 * 86_400,
    lastYear: day - 364 * 86_400,
    allTime: 0,
  }
  for (const name of METRIC_NAMES) {
    const { status, json } = await ask(`/v2/chains/1337/rollingWindowMetrics/${name}`)
    if (name.startsWith('cumulative')) {
      expect(status).toBe(400)
      continue
    }
    const expected = Object.entries(starts).map(([window, start]) => [
      window,
      Number(plain.since(name, start)),
    ])
    expect([name, json.result]).toEqual([name, Object.fromEntries(expected)])
  }
})

describe('official client', () => {
  let service: Awaited<ReturnType<typeof listenMetrics>>
  beforeAll(async () => {
    service = await listenMetrics(stores)
  })
  afterAll(() => service.close())

  test('returns every metric to the official client, page by page', async () => {
    const { metrics } = client(service.url)
    for (const name of METRIC_NAMES) {
      const timeInterval = METRICS[name].isDaily ? 'day' : 'month'
      const found = await all(
        metrics.chains.getMetrics({ chainId: '1337', metric: name, timeInterval, pageSize: 50 }),
      )
      const { json } = await metric(name, `timeInterval=${timeInterval}&pageSize=2160`)
      expect(found.flatMap(({ results }) => results)).toEqual(json.results)
    }
  })

  test('returns rolling windows, chains and health checks to the official client', async () => {
    const sdk = client(service.url)
    for (const name of METRIC_NAMES.filter((one) => !one.startsWith('cumulative'))) {
      const { result } = await sdk.metrics.chains.getRollingWindowMetrics({
        chainId: '1337',
        metric: name as 'txCount',
      })
      expect(Object.keys(result)).toHaveLength(7)
    }
    const listed = await all(sdk.metrics.chains.list({ network: 'testnet' }))
    const ids = listed.flatMap(({ chains }) => chains.map(({ evmChainId }) => evmChainId))
    expect(ids).toEqual([C, UNTRACED])
    expect((await sdk.metrics.chains.get({ chainId: '1337' })).network).toBe('mainnet')
    expect((await sdk.metrics.liveCheck()).status).toBe('ok')
    expect((await sdk.data.liveCheck()).status).toBe('ok')
  })

  test("names the unhealthy chain in the health check's answer", async () => {
    const sdk = client(service.url)
    await expect(sdk.metrics.healthCheck()).rejects.toThrow(`chain ${UNTRACED}: no block is indexed`)
    const healthy = await listenMetrics(stores.slice(0, 2))
    const { status, info } = await client(healthy.url).data.healthCheck()
    expect([status, info]).toEqual([
      'ok',
      { [`chain ${C}`]: { status: 'up' }, 'chain 1337': { status: 'up' } },
    ])
    await healthy.close()
  })
})
