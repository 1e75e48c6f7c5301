import type { Avalanche } from '@avalanche-sdk/chainkit'
import { UsageSums } from '@firn/service-store'
import { openUsage } from '@firn/service-store/testing'
import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAccess } from '../http/admission/Access.ts'
import { restPlugin, serverOptions } from '../http/RestPlugin.ts'
import { client } from '../testing/client.ts'
import { evmContextOf } from '../testing/serveEvm.ts'
import { subnetRpcUsage } from './subnetRpcUsage.ts'

/** Friday 2026-11-20, 00:00 UTC. */
const DAY = Date.parse('2026-11-20T00:00:00Z') / 1000
const NOW = DAY + 15 * 3600 + 60

async function serve(usage: Parameters<typeof subnetRpcUsage>[0]['usage']) {
  const none = { unitsPerMinute: 0, unitsPerDay: 0 }
  const access = createAccess({ keys: async () => [], counters: undefined, anonymous: none, keyed: none })
  const server = fastify(serverOptions)
  const evm = await evmContextOf([])
  const endpoints = subnetRpcUsage({ usage, now: () => NOW * 1000, evm })
  await server.register(restPlugin({ title: 'Firn', version: '0', endpoints, access, timeoutMs: 600_000 }))
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  afterAll(() => server.close())
  return url
}

let url: string
let sdk: Avalanche

beforeAll(async () => {
  const store = await openUsage()
  afterAll(() => store.close())
  const sums = new UsageSums()
  const call = { chainId: '43114', method: 'eth_call', status: 200, token: '', credits: 20 }
  const logs = { chainId: '43113', method: 'eth_getLogs', status: 200, token: 'explorer', credits: 75 }
  for (const milliseconds of [1, 4, 10]) sums.add({ ...call, time: DAY - 1, milliseconds })
  sums.add({ ...call, time: DAY, milliseconds: 7, status: 429 })
  sums.add({ ...logs, time: DAY + 3600, milliseconds: 100 })
  sums.add({ ...logs, time: DAY + 3600, milliseconds: 51, status: 500 })
  await store.driver.transaction((session) => sums.write(session))
  url = await serve(store)
  sdk = client(url)
})

const empty = { invalidRequests: 0, apiCreditsWasted: 0, groupedBy: 'None' }

test('returns daily usage to the official client, which sends no interval', async () => {
  expect(await sdk.data.usageMetrics.getSubnetRpcUsage({})).toEqual({
    aggregateDuration: 'daily',
    chainId: 'all',
    metrics: [
      {
        timestamp: DAY - 86_400,
        values: [
          {
            ...empty,
            totalRequests: 3,
            apiCreditsUsed: 60,
            requestsPerSecond: 3 / 86_400,
            successRatePercent: 100,
            medianResponseTimeMsecs: 4,
          },
        ],
      },
      {
        timestamp: DAY,
        values: [
          {
            ...empty,
            totalRequests: 3,
            apiCreditsUsed: 170,
            requestsPerSecond: 3 / 86_400,
            successRatePercent: 100 / 3,
            medianResponseTimeMsecs: 51,
            invalidRequests: 1,
            apiCreditsWasted: 20,
          },
        ],
      },
    ],
  })
})

describe('official client', () => {
  test.each([
    ['hourly', [DAY - 3600, DAY, DAY + 3600]],
    ['weekly', [DAY - 4 * 86_400]],
    ['monthly', [Date.parse('2026-11-01T00:00:00Z') / 1000]],
  ] as const)('returns %s usage to the official client', async (timeInterval, timestamps) => {
    const { aggregateDuration, metrics } = await sdk.data.usageMetrics.getSubnetRpcUsage({ timeInterval })
    expect([aggregateDuration, metrics.map(({ timestamp }) => timestamp)]).toEqual([timeInterval, timestamps])
  })

  test.each([
    ['rpcMethod', ['eth_call', 'eth_getLogs']],
    ['responseCode', [200, 429, 500]],
    ['rlBypassToken', [undefined, 'explorer']],
  ] as const)('groups usage by %s', async (groupBy, groups) => {
    const { metrics } = await sdk.data.usageMetrics.getSubnetRpcUsage({ timeInterval: 'monthly', groupBy })
    const values = metrics.flatMap(({ values }) => values)
    expect(values.map(({ groupValue }) => groupValue)).toEqual(groups)
    expect(new Set(values.map(({ groupedBy }) => groupedBy))).toEqual(new Set([groupBy]))
  })

  test.each([
    [{ chainId: '43113' }, 2, '43113'],
    [{ responseCode: '429' }, 1, 'all'],
    [{ rpcMethod: 'eth_call' }, 4, 'all'],
    [{ rlBypassApiToken: 'explorer' }, 2, 'all'],
    [{ startTimestamp: NOW }, 3, 'all'],
    [{ endTimestamp: NOW }, 3, 'all'],
    [{ startTimestamp: DAY, endTimestamp: NOW }, 0, 'all'],
  ])('filters usage by %j', async (filter, requests, chainId) => {
    const usage = await sdk.data.usageMetrics.getSubnetRpcUsage({ ...filter, timeInterval: 'monthly' })
    const values = usage.metrics.flatMap(({ values }) => values)
    expect(values.reduce((sum, { totalRequests }) => sum + totalRequests, 0)).toBe(requests)
    expect(usage.chainId).toBe(chainId)
  })

  test('returns the same usage at the deprecated path', async () => {
    const request = { timeInterval: 'daily', groupBy: 'rpcMethod' } as const
    expect(await sdk.data.usageMetrics.getRpcUsageMetrics(request)).toEqual(
      await sdk.data.usageMetrics.getSubnetRpcUsage(request),
    )
  })

  test('returns no metrics if no store of gateway usage is configured', async () => {
    const usage = await client(await serve(undefined)).data.usageMetrics.getSubnetRpcUsage({})
    expect(usage).toEqual({ aggregateDuration: 'daily', chainId: 'all', metrics: [] })
  })
})

test.each([
  ['timeInterval=hour', 'timeInterval'],
  ['groupBy=country', 'groupBy'],
  ['responseCode=2xx', 'responseCode'],
  ['rpcMethod=%00', 'rpcMethod'],
  [`chainId=${'1'.repeat(129)}`, 'chainId'],
  ['startTimestamp=now', 'startTimestamp'],
  [`startTimestamp=${NOW}&endTimestamp=${DAY}`, 'startTimestamp'],
  ['startTimestamp=0&timeInterval=hourly', 'startTimestamp'],
])('rejects %s with an error that names the parameter', async (query, name) => {
  const answer = await fetch(`${url}/v1/subnetRpcUsageMetrics?${query}`)
  const body = (await answer.json()) as { readonly message: string }
  expect([answer.status, body.message.split(':')[0]]).toEqual([400, name])
})
