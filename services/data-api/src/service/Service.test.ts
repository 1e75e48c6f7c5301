import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import { ApiKeys } from '@firn/service-store'
import { recordedStore } from '@firn/store/testing'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKey, revokeKey } from '../operate/KeyRing.ts'
import { createDataApi, type DataApiService } from './Service.ts'

let service: DataApiService
let log = ''
const limits = {
  // Enough for all requests without a key before the test of this limit, also if a list of keys is old for long.
  anonymous: { unitsPerMinute: 4_000, unitsPerDay: 10_000 },
  keyed: { unitsPerMinute: 1_000, unitsPerDay: 10_000 },
}
const OPTIONS = {
  host: '127.0.0.1',
  port: 0,
  prefix: '/data',
  alias: 'fuji',
  limits,
  aggregateStatus: 'auto',
  timeoutMs: 600_000,
  version: '0.2.0',
} as const

beforeAll(async () => {
  const store = await recordedStore('local')
  const stream = new Writable({
    write(chunk, _encoding, done) {
      log += chunk
      done()
    },
  })
  service = await createDataApi({ ...OPTIONS, store, log: pino({ level: 'trace' }, stream) })
})

afterAll(() => service.close())

const ask = (path: string, headers: Record<string, string> = {}) => fetch(service.url + path, { headers })
const SUBNETS = '/v1/networks/fuji/subnets'

test('serves the network under each of its names, with a path prefix, on a real port', async () => {
  expect(service.url).toMatch(/\/data$/)
  for (const name of ['fuji', 'local', 'network-12345', '12345'])
    expect((await ask(`/v1/networks/${name}/subnets`)).status).toBe(200)
  const other = await ask('/v1/networks/mainnet/subnets')
  expect([other.status, await other.json()]).toEqual([
    400,
    {
      message: 'network: expected one of fuji, local, testnet, network-12345, 12345, got "mainnet"',
      error: 'Bad Request',
      statusCode: 400,
    },
  ])
})

test('compresses answers if the client accepts it, and serves the API documentation', async () => {
  const answer = await ask(SUBNETS, { 'accept-encoding': 'gzip' })
  expect(answer.headers.get('content-encoding')).toBe('gzip')
  const document = (await (await ask('/openapi.json')).json()) as { paths: object }
  expect(Object.keys(document.paths).sort()).toEqual(
    expect.arrayContaining([
      '/v1/networks/{network}/blockchains/{blockchainId}/transactions',
      '/v1/networks/{network}/blockchains/{blockchainId}/transactions:listStaking',
      '/v1/signatureAggregator/{network}/aggregateSignatures/{txHash}',
    ]),
  )
  expect(await (await ask('/docs/')).text()).toContain('<html')
  const script = await ask('/docs/js/scalar.js', { 'accept-encoding': 'gzip' })
  expect(script.headers.get('x-compute-units')).toBe('10')
  const tag = { 'accept-encoding': 'gzip', 'if-none-match': script.headers.get('etag') ?? '' }
  expect((await ask('/docs/js/scalar.js', tag)).status).toBe(304)
  expect(script.headers.get('content-type')).toContain('javascript')
  expect((await script.text()).length).toBeGreaterThan(1_000_000)
  expect((await ask('/docs/none')).status).toBe(404)
})

test('gives a key higher limits, enforces scopes, rejects a revoked key, and never logs a key', async () => {
  const store = await recordedStore('local')
  const settings = {
    name: 'Service.test',
    scopes: ['data'],
    unitsPerMinute: 5_000,
    unitsPerDay: undefined,
  } as const
  const key = await createKey(store, settings, randomBytes, 1_795_000_000)
  const kept = (await ApiKeys.list(store)).filter(({ name }) => name === settings.name)
  expect(kept).toHaveLength(1)
  expect(JSON.stringify(kept, (_, v) => (typeof v === 'bigint' ? String(v) : v))).not.toContain(key)
  const headers = { 'x-data-api-key': key }
  // The service caches the list of keys, so the new key may not be known yet. Requests with unknown keys are limited.
  await expect.poll(async () => (await ask(SUBNETS, headers)).status, { interval: 500 }).toBe(200)
  const answer = await ask(SUBNETS, headers)
  expect(answer.headers.get('ratelimit-limit')).toBe('5000')
  const path = '/v1/signatureAggregator/fuji/aggregateSignatures/11111111111111111111111111111111LpoYY'
  expect((await ask(path, headers)).status).toBe(403)
  expect(await revokeKey(store, key, 1)).toMatchObject({ name: settings.name })
  await expect.poll(async () => (await ask(SUBNETS, headers)).status, { interval: 500 }).toBe(401)
  expect(log).toMatch(/"code":"DATA_SCOPE".*request rejected/)
  expect(log).not.toContain(key)
  expect(log).not.toContain(key.slice(11, 30))
})

test('rate-limits callers without a key by their address', async () => {
  let refused = await ask(SUBNETS)
  for (let i = 0; i < 500 && refused.status !== 429; i++) refused = await ask(SUBNETS)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused.json()).toMatchObject({ statusCode: 429, error: 'Too Many Requests' })
})

test('serves health and metrics without rate limits', async () => {
  const root = service.url.replace(/\/data$/, '')
  const health = await (await fetch(`${root}/health`)).json()
  expect(health).toMatchObject({ status: 'up', heights: { P: '85', X: '35', C: '83' } })
  const metrics = await (await fetch(`${root}/metrics`)).text()
  expect(metrics).toContain('firn_data_api_request_seconds')
  expect(metrics).toContain('firn_data_api_upstream_request_seconds')
})
