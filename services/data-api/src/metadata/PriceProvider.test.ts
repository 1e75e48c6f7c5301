import { PublicFetch } from '@firn/outbound'
import {
  CERTIFICATE,
  type HostileServers,
  hostileNames,
  PUBLIC,
  startHostileServers,
} from '@firn/outbound/testing'
import type { Clock } from '@firn/runtime'
import { until } from '@firn/runtime/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHttpPrices } from './PriceProvider.ts'

/** A clock whose sleeps end when a test calls `tick`. */
function manualClock() {
  let now = 0
  let wake = () => {}
  const clock: Clock = {
    now: () => now,
    sleep: (_ms, signal) =>
      new Promise((resolve, reject) => {
        wake = resolve
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
      }),
  }
  return {
    clock,
    tick: async (ms: number) => {
      now += ms
      wake()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

const document = (value: unknown): PublicFetch.Fetched => ({
  bytes: new TextEncoder().encode(JSON.stringify(value)),
  contentType: 'application/json',
})

test('replaces prices, keeps them while requests fail, and forgets them after ten intervals', async () => {
  let next: PublicFetch.Fetched = document({
    'avalanche-2': { usd: 20.5, xyz: 1 },
    bad: { usd: '1' },
    worse: null,
  })
  const { clock, tick } = manualClock()
  const fetch = async () => next
  const provider = createHttpPrices({ url: 'https://prices.test/', refreshSeconds: 60, fetch, clock })
  await until(() => expect(provider.price('avalanche-2', 'usd')).toBe(20.5))
  expect(provider.price('avalanche-2', 'eur')).toBeUndefined()
  expect([provider.price('bad', 'usd'), provider.price('worse', 'usd')]).toEqual([undefined, undefined])
  expect(provider.price('__proto__', 'usd')).toBeUndefined()
  const { revision } = provider
  await tick(60_000)
  expect(provider.revision).toBe(revision)
  next = document({ 'avalanche-2': { usd: 21 } })
  await tick(60_000)
  expect(provider.price('avalanche-2', 'usd')).toBe(21)
  expect(provider.revision).not.toBe(revision)
  next = { failure: 'http-status' }
  await tick(60_000)
  expect(provider.price('avalanche-2', 'usd')).toBe(21)
  expect(provider.problems).toEqual([
    'prices cannot be read from prices.test (http-status); the last prices are used',
  ])
  await tick(600_000)
  expect(provider.price('avalanche-2', 'usd')).toBeUndefined()
  next = document(['not', 'prices'])
  await tick(60_000)
  expect(provider.problems[0]).toContain('not a JSON object')
  next = document({ 'avalanche-2': { usd: 22 } })
  await tick(60_000)
  expect(provider.price('avalanche-2', 'usd')).toBe(22)
  expect(provider.problems).toEqual([])
  provider.close()
})

let servers: HostileServers
beforeAll(async () => {
  servers = await startHostileServers()
})
afterAll(() => servers?.close())

test.each([
  ['localhost.test', 'uri-address'],
  ['public.test', 'uri-port'],
])('does not connect to %s', async (host, failure) => {
  const fetch = PublicFetch.create({
    resolve: hostileNames(),
    isPublic: (address) => address === PUBLIC,
    ports: [443, ...(host === 'public.test' ? [] : [servers.ports.https, servers.ports.inside])],
    ca: CERTIFICATE,
  })
  const port = host === 'public.test' ? servers.ports.https : servers.ports.inside
  const { clock } = manualClock()
  const provider = createHttpPrices({ url: `https://${host}:${port}/good`, fetch, clock })
  await until(() => expect(provider.problems[0]).toContain(failure))
  expect(servers.reached()).toBe(0)
  provider.close()
})
