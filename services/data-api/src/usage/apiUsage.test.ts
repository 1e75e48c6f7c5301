import type { Avalanche } from '@avalanche-sdk/chainkit'
import { recordedEvmStore } from '@firn/evm-store/testing'
import { ApiKey } from '@firn/http'
import { createLocalOperator } from '@firn/operate/testing'
import { RequestLog, type UsageStore } from '@firn/service-store'
import { openUsage } from '@firn/service-store/testing'
import type { Store } from '@firn/store'
import { recordedStore } from '@firn/store/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKey } from '../operate/KeyRing.ts'
import { createDataApi, type DataApiService } from '../service/Service.ts'
import { all, client } from '../testing/client.ts'

const CHAIN = '43112'
const AGENT = 'usage-test/1'
const DAY = 86_400

let usage: UsageStore
const operator = createLocalOperator()
let store: Store
let service: DataApiService
let [mine, other, admin, unscoped]: string[] = []
const [idOfMine, idOfOther] = [
  () => ApiKey.id({ hash: ApiKey.hash(mine ?? '') }),
  () => ApiKey.id({ hash: ApiKey.hash(other ?? '') }),
]
const sdk = (key?: string): Avalanche => client(service.url, key)

const serve = async (more: object = {}) =>
  createDataApi({
    ...{ store, usage, limits: undefined, host: '127.0.0.1', port: 0, alias: 'fuji', timeoutMs: 600_000 },
    ...{ version: '0', aggregateStatus: 'auto', local: operator.local, ...more },
    chains: [{ store: await recordedEvmStore('c'), nodes: [] }],
  })

const keyOf = (name: string, scopes: readonly ApiKey.Scope[]) =>
  createKey(
    store,
    { name, scopes, unitsPerMinute: undefined, unitsPerDay: undefined },
    (length) => crypto.getRandomValues(new Uint8Array(length)),
    0,
  )

beforeAll(async () => {
  usage = await openUsage()
  store = await recordedStore('local')
  mine = await keyOf('mine', ['data', 'usage'])
  other = await keyOf('other', ['data', 'usage'])
  admin = await keyOf('admin', ['usage', 'admin'])
  unscoped = await keyOf('unscoped', ['data'])
  // Two replicas count requests with the same tables, and are stopped before the counts are read.
  const replicas = [await serve(), await serve()]
  for (const { url } of replicas) {
    const ask = (path: string, key?: string) =>
      fetch(url + path, { headers: { ...(key && { 'x-data-api-key': key }), 'user-agent': AGENT } })
    await ask(`/v1/chains/${CHAIN}/blocks?pageSize=1&secret=hunter2`, mine)
    await ask(`/v1/chains/${CHAIN}/blocks?pageSize=none`, mine)
    await ask('/v1/networks/fuji/blockchains/p-chain/blocks', mine)
    await ask('/v1/nothing/here', mine)
    await ask('/v1/operations/0123456789abcdef0123456789abcdef', mine)
    await ask(`/v1/chains/${CHAIN}/blocks`, other)
    await ask(`/v1/chains/${CHAIN}/blocks`)
  }
  for (const replica of replicas) await replica.close()
  service = await serve()
})
afterAll(async () => {
  await service?.close()
  await usage?.close()
})

/** Counts of requests, as far as the tests read them without a client. */
interface Metrics {
  readonly metrics: readonly {
    readonly values: readonly { readonly groupValue: string; readonly totalRequests: number }[]
  }[]
}

const totals = async (of: Avalanche, request: Parameters<Avalanche['data']['usageMetrics']['getUsage']>[0]) =>
  (await of.data.usageMetrics.getUsage(request)).metrics
    .flatMap(({ values }) => values)
    .map(({ groupedBy, groupValue, totalRequests }) => [groupedBy, groupValue, totalRequests])

// Requests of the tests themselves are filtered out by their paths.
describe('counts of requests', () => {
  const blocks = { requestPath: '/v1/chains/{chainId}/blocks' }

  test('contain the requests of all replicas with the key of the caller, also after a restart', async () => {
    const answer = await sdk(mine).data.usageMetrics.getUsage(blocks)
    expect(answer).toMatchObject({ aggregateDuration: 'daily', orgId: 'default' })
    const [value] = answer.metrics[0]?.values ?? []
    expect(answer.metrics[0]?.timestamp).toBe(Math.floor(Date.now() / 1000 / DAY) * DAY)
    expect(value).toMatchObject({
      groupedBy: 'None',
      totalRequests: 4,
      successRatePercent: 50,
      invalidRequests: 2,
    })
    expect(value?.apiCreditsWasted).toBe((value?.apiCreditsUsed ?? 0) / 2)
    expect(value?.requestsPerSecond).toBeCloseTo(4 / DAY)
  })

  test.each(['minute', 'hourly', 'daily', 'weekly', 'monthly'] as const)(
    'are served by %s',
    async (timeInterval) => {
      const { aggregateDuration, metrics } = await sdk(mine).data.usageMetrics.getUsage({
        ...blocks,
        timeInterval,
      })
      expect(aggregateDuration).toBe(timeInterval)
      const requests = metrics.flatMap(({ values }) => values.map(({ totalRequests }) => totalRequests))
      expect(requests.reduce((sum, count) => sum + count, 0)).toBe(4)
    },
  )

  test.each([
    ['responseCode', [200, 2], [400, 2]],
    ['requestPath', ['/v1/chains/{chainId}/blocks', 4]],
    ['chainId', [CHAIN, 4]],
    ['requestType', ['data', 4]],
  ] as const)('are grouped by %s', async (groupBy, ...groups) => {
    expect(await totals(sdk(mine), { ...blocks, groupBy })).toEqual(
      groups.map((group) => [groupBy, ...group]),
    )
  })

  test.each([
    [{ responseCode: '400' }, 2],
    [{ chainId: CHAIN }, 4],
    [{ chainId: '1' }, undefined],
    [{ requestType: 'rpc' as const }, undefined],
    [{ orgId: 'default' }, 4],
    [{ endTimestamp: Math.floor(Date.now() / 1000) }, undefined],
  ])('are filtered by %j', async (filter, requests) => {
    const values = await totals(sdk(mine), { ...blocks, ...filter })
    expect(values[0]?.[2]).toBe(requests)
  })

  test('returns the requests of all keys to operators', async () => {
    const request = { ...blocks, groupBy: 'apiKeyId' as const }
    const expected = [
      [idOfMine(), 4],
      [idOfOther(), 2],
    ].toSorted()
    const values = await totals(sdk(admin), request)
    expect(values.map(([, key, count]) => [key, count]).toSorted()).toEqual(expected)
    expect(await totals(sdk(admin), { ...blocks, apiKeyId: idOfOther() })).toEqual([['None', undefined, 2]])
    const query = `requestPath=${encodeURIComponent(blocks.requestPath)}&groupBy=apiKeyId`
    const answer = await fetch(`${service.url}/v1/apiUsageMetrics?${query}`, { headers: operator.headers })
    const { metrics } = (await answer.json()) as Metrics
    const sums = metrics.flatMap((one) => one.values.map((of) => [of.groupValue, of.totalRequests]))
    expect(sums.toSorted()).toEqual(expected)
  })

  test.each([
    ['timeInterval', 'timeInterval=hour'],
    ['groupBy', 'groupBy=country'],
    ['orgId', 'orgId=somebody'],
    ['requestType', 'requestType=all'],
    ['apiKeyId', 'apiKeyId=..'],
    ['responseCode', 'responseCode=2xx'],
    ['requestPath', 'requestPath=%00'],
    ['startTimestamp', 'timeInterval=minute&startTimestamp=1700000000'],
    ['startTimestamp', 'timeInterval=hourly&startTimestamp=0'],
    ['startTimestamp', 'startTimestamp=2000000000&endTimestamp=1900000000'],
  ])('name the invalid parameter %s', async (name, query) => {
    const response = await fetch(`${service.url}/v1/apiUsageMetrics?${query}`)
    expect([response.status, ((await response.json()) as { message: string }).message.split(':')[0]]).toEqual(
      [400, name],
    )
  })
})

describe('the request log', () => {
  test('contains what the client sent, without the query and without ids that are secrets', async () => {
    const pages = await all(sdk(mine).data.usageMetrics.getLogs({ pageSize: 3 }))
    expect(pages.map(({ orgId }) => orgId)).toContain('default')
    const logs = pages.flatMap((page) => page.logs).filter(({ metadata }) => metadata.userAgent === AGENT)
    expect(logs.map((log) => [log.requestPath, log.responseCode, log.chainId])).toEqual(
      [0, 1].flatMap(() => [
        ['/v1/operations/{operationId}', 404, undefined],
        ['/v1/nothing/here', 404, undefined],
        ['/v1/networks/fuji/blockchains/p-chain/blocks', 200, 'p-chain'],
        [`/v1/chains/${CHAIN}/blocks`, 400, CHAIN],
        [`/v1/chains/${CHAIN}/blocks`, 200, CHAIN],
      ]),
    )
    const [log] = logs
    expect(log).toMatchObject({
      ...{ orgId: 'default', apiKeyId: idOfMine(), apiKeyAlias: 'mine', requestType: 'data', hostRegion: '' },
      metadata: { ipAddress: '127.0.0.1', userAgent: AGENT, host: expect.stringMatching(/^127\.0\.0\.1:/) },
    })
    expect(Math.abs((log?.eventTimestamp ?? 0) - Date.now() / 1000)).toBeLessThan(DAY)
    const text = JSON.stringify(await everything(), (_, v) => (typeof v === 'bigint' ? String(v) : v))
    for (const secret of [mine, other, 'hunter2', '0123456789abcdef0123456789abcdef']) {
      expect(text).not.toContain(secret)
    }
  })

  test('has no requests without a key', async () => {
    expect((await everything()).filter(({ key_id }) => key_id.length !== 16)).toEqual([])
  })

  test.each([
    [{ requestPath: `/v1/chains/${CHAIN}/blocks` }, 4],
    [{ requestPath: '/v1/chains/{chainId}/blocks', responseCode: '200' }, 2],
    [{ chainId: 'p-chain' }, 2],
    [{ chainId: 'p-chain', requestType: 'data' as const }, 2],
    [{ requestType: 'rpc' as const }, 0],
    [{ chainId: 'p-chain', startTimestamp: Math.floor(Date.now() / 1000) }, 2],
    [{ endTimestamp: Math.floor(Date.now() / 1000) }, 0],
  ])('is filtered by %j', async (filter, count) => {
    const pages = await all(sdk(mine).data.usageMetrics.getLogs({ ...filter, pageSize: 1 }))
    expect(pages.flatMap(({ logs }) => logs)).toHaveLength(count)
  })

  test('rejects a page token of another filter', async () => {
    const read = async (query: string) => {
      const url = `${service.url}/v1/apiLogs?pageSize=1&${query}`
      return (await (await fetch(url, { headers: operator.headers })).json()) as {
        nextPageToken: string
        statusCode?: number
      }
    }
    const { nextPageToken } = await read('chainId=p-chain')
    expect(await read(`chainId=p-chain&pageToken=${nextPageToken}`)).toMatchObject({ orgId: 'default' })
    expect(await read(`chainId=x-chain&pageToken=${nextPageToken}`)).toMatchObject({ statusCode: 400 })
  })

  test('keeps no addresses and programs if the operator says so, and no requests with a retention of 0', async () => {
    const settings = { logMs: DAY * 1_000, logRows: 10, hasClients: false, countsMs: 10 * DAY * 1_000 }
    const before = (await everything()).length
    for (const requestLog of [settings, { ...settings, logMs: 0 }]) {
      const replica = await serve({ requestLog })
      await fetch(`${replica.url}/v1/chains/${CHAIN}`, { headers: { 'x-data-api-key': other ?? '' } })
      await replica.close()
      if (requestLog.logMs > 0) {
        const [row] = await RequestLog.page(usage, { ...ALWAYS, keyId: idOfOther(), limit: 1 })
        expect(row).toMatchObject({ path: `/v1/chains/${CHAIN}`, address: '', host: '', user_agent: '' })
      }
    }
    // The second replica removed all requests, and counted its own.
    expect([before > 0, await everything()]).toEqual([true, []])
    expect(await totals(sdk(other), { requestPath: '/v1/chains/{chainId}' })).toEqual([
      ['None', undefined, 2],
    ])
  })
})

describe.each(['apiUsageMetrics', 'apiLogs'])('access to %s', (name) => {
  const ask = (query: string, headers: Record<string, string> = {}) =>
    fetch(`${service.url}/v1/${name}${query}`, { headers })

  test('is limited to the own key', async () => {
    const headers = { 'x-data-api-key': mine ?? '' }
    expect((await ask(`?apiKeyId=${idOfMine()}`, headers)).status).toBe(200)
    expect((await ask(`?apiKeyId=${idOfOther()}`, headers)).status).toBe(403)
  })

  test('needs the scope, and a key unless an operator on this machine asks', async () => {
    expect((await ask('', { 'x-data-api-key': unscoped ?? '' })).status).toBe(403)
    expect((await ask('', operator.headers)).status).toBe(200)
    for (const headers of [
      {},
      { 'x-operator-token': 'guess' },
      { ...operator.headers, 'x-forwarded-for': '203.0.113.9' },
      { ...operator.headers, origin: 'https://example.org' },
    ])
      expect((await ask('', headers)).status).toBe(401)
  })
})

const ALWAYS = { from: 0n, to: 9_000_000_000_000_000n }
const everything = () => RequestLog.page(usage, { ...ALWAYS, limit: 10_000 })
