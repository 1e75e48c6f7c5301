import { randomBytes } from 'node:crypto'
import { ApiKey, TrustedProxies } from '@firn/http'
import fastify from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { storedKey } from '../../testing/storedKey.ts'
import { define } from '../endpoint/Endpoint.ts'
import * as Schema from '../endpoint/Schema.ts'
import { restPlugin, serverOptions } from '../RestPlugin.ts'
import { type AccessOptions, createAccess } from './Access.ts'
import { createMemoryCounters } from './RateLimit.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const endpoint = define({
  method: 'GET',
  operationId: 'getThings',
  path: '/v1/thing',
  summary: 'A thing',
  tag: 'EVM',
  scope: 'data',
  units: 20,
  pathParameters: {},
  queryParameters: {},
  response: Schema.object('Thing', 'A thing', {}),
  handle: async () => ({ body: {} }),
})

const metric = define({ ...endpoint, operationId: 'getMetric', path: '/v2/metric', scope: 'metrics' })

/**
 * Starts a server with one endpoint that costs 20 units. The limit is 60 units per minute, which allows three
 * calls.
 */
async function serve(options: Partial<AccessOptions> = {}) {
  const server = fastify(serverOptions)
  closers.push(() => server.close())
  const access = createAccess({
    keys: async () => [],
    counters: createMemoryCounters(() => 0),
    anonymous: { unitsPerMinute: 60, unitsPerDay: 1_000 },
    keyed: { unitsPerMinute: 60, unitsPerDay: 1_000 },
    ...options,
  })
  await server.register(
    restPlugin({
      ...{ title: 'Test', version: '0', endpoints: [endpoint, metric], access, timeoutMs: 600_000 },
      ...(options.trusted === undefined ? {} : { trusted: options.trusted }),
    }),
  )
  const statuses = async (headersOf: (attempt: number) => Record<string, string>) => {
    const all = []
    for (let i = 0; i < 4; i++) {
      all.push((await server.inject({ url: '/v1/thing', headers: headersOf(i) })).statusCode)
    }
    return all
  }
  return { server, statuses }
}

const LIMITED = [200, 200, 200, 429]

// The test connects from 127.0.0.1.
test.each<[string, TrustedProxies.Options]>([
  ['without proxies', {}],
  ['behind one proxy', { proxies: 1 }],
  ['behind a trusted proxy', { trustedProxies: ['127.0.0.1'] }],
  ['from an untrusted proxy', { trustedProxies: ['10.0.0.0/8'] }],
])('gives a client no additional units for the forged x-forwarded-for header %s', async (_name, options) => {
  const { statuses } = await serve({ trusted: TrustedProxies.create(options) })
  expect(await statuses((i) => ({ 'x-forwarded-for': `6.6.6.${i}, 203.0.113.9` }))).toEqual(LIMITED)
})

test.each(['/v1/thing', '/nothing', '/docs', '/openapi.json'])(
  'refuses %s if the request did not pass all proxies',
  async (url) => {
    const { server } = await serve({ trusted: TrustedProxies.create({ proxies: 2 }) })
    for (const forwarded of [undefined, '127.0.0.1', 'x, 127.0.0.1']) {
      const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
      const answer = await server.inject({ url, headers })
      expect(answer.statusCode).toBe(400)
      expect(answer.json().message).toContain('x-forwarded-for: expected')
    }
  },
)

test('counts all IPv6 addresses of a /64 network as one caller', async () => {
  const { statuses } = await serve({ trusted: TrustedProxies.create({ proxies: 1 }) })
  expect(await statuses((i) => ({ 'x-forwarded-for': `2001:db8:0:99::${i}` }))).toEqual(LIMITED)
  expect(await statuses((i) => ({ 'x-forwarded-for': `2001:db8:0:${i}::1` }))).toEqual([200, 200, 200, 200])
})

test('limits all networks of an IPv6 /48 together, to sixteen times the units of one', async () => {
  const { server } = await serve({ trusted: TrustedProxies.create({ proxies: 1 }) })
  const ask = async (site: string, network: number) => {
    const headers = { 'x-forwarded-for': `2001:db8:${site}:${network.toString(16)}::1` }
    return server.inject({ url: '/v1/thing', headers })
  }
  const statuses = []
  for (let i = 0; i < 100; i++) statuses.push((await ask('1', i)).statusCode)
  expect(statuses.filter((status) => status === 200)).toHaveLength(48)
  const refused = await ask('1', 999)
  expect([refused.statusCode, refused.json().message]).toEqual([
    429,
    expect.stringContaining('rate limit of your network exceeded: 960 compute units per minute'),
  ])
  expect((await ask('2', 1)).statusCode).toBe(200)
})

const [VALID, REVOKED, METRICS] = Array.from({ length: 3 }, () => ApiKey.generate(randomBytes)) as [
  string,
  string,
  string,
]
const KEYS = [
  storedKey(VALID),
  storedKey(REVOKED, { revokedAt: 1 }),
  storedKey(METRICS, { scopes: ['metrics'] }),
]

test.each([
  ['guessed keys', () => ApiKey.generate(randomBytes), 401],
  ['malformed keys', () => 'firn_x', 401],
  ['a revoked key', () => REVOKED, 401],
  ['a key without the scope', () => METRICS, 403],
])(
  'charges requests with %s until the caller is limited, and sends rate-limit headers',
  async (_name, keyOf, status) => {
    const { server } = await serve({ keys: async () => KEYS })
    for (const remaining of [40, 20, 0]) {
      const answer = await server.inject({ url: '/v1/thing', headers: { 'x-data-api-key': keyOf() } })
      expect([answer.statusCode, answer.headers['ratelimit-remaining']]).toEqual([status, String(remaining)])
      expect(answer.headers['ratelimit-limit']).toBe('60')
    }
    const limited = await server.inject({ url: '/v1/thing', headers: { 'x-data-api-key': keyOf() } })
    expect(limited.statusCode).toBe(429)
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
  },
)

test.each([
  ['an unknown key', () => ApiKey.generate(randomBytes), '203.0.113.1'],
  ['a malformed key', () => 'firn_x', '203.0.113.2'],
  ['a revoked key', () => REVOKED, '203.0.113.3'],
])('serves metrics to a caller with %s as to one without a key', async (_name, keyOf, address) => {
  const { server } = await serve({ keys: async () => KEYS, trusted: TrustedProxies.create({ proxies: 1 }) })
  const ask = async (more: Record<string, string>) => {
    const headers = { 'x-forwarded-for': address, ...more }
    const { statusCode, headers: sent } = await server.inject({ url: '/v2/metric', headers })
    return [statusCode, sent['ratelimit-remaining']]
  }
  expect(await ask({ 'x-data-api-key': keyOf() })).toEqual([200, '40'])
  expect(await ask({ 'x-glacier-api-key': keyOf() })).toEqual([200, '20'])
  expect(await ask({})).toEqual([200, '0'])
  expect((await ask({ 'x-data-api-key': keyOf() }))[0]).toBe(429)
  expect(await ask({ 'x-data-api-key': METRICS })).toEqual([200, '40'])
})

test("charges requests with guessed keys to the caller's address and to no key", async () => {
  const { server, statuses } = await serve({ keys: async () => KEYS })
  await statuses(() => ({ 'x-data-api-key': ApiKey.generate(randomBytes) }))
  const status = async (headers: Record<string, string>) =>
    (await server.inject({ url: '/v1/thing', headers })).statusCode
  expect([await status({}), await status({ 'x-data-api-key': VALID })]).toEqual([429, 200])
})

test('charges requests for unknown paths until the caller is limited, and sends rate-limit headers', async () => {
  const { server } = await serve()
  const answers = []
  for (let i = 0; i < 61; i++) answers.push(await server.inject(`/nothing/${i}`))
  expect(answers.slice(0, 60).map(({ statusCode }) => statusCode)).toEqual(Array(60).fill(404))
  expect(answers[59]?.headers).toMatchObject({ 'ratelimit-limit': '60', 'ratelimit-remaining': '0' })
  expect(answers[60]?.statusCode).toBe(429)
})

test('answers others while a caller asks the most expensive question a thousand times at once', async () => {
  const ends: (() => void)[] = []
  const expensive = define({
    ...endpoint,
    path: '/v1/expensive',
    rows: () => 1_000,
    handle: () => new Promise((resolve) => ends.push(() => resolve({ body: {} }))),
  })
  const generous = { unitsPerMinute: 1_000_000, unitsPerDay: 1_000_000 }
  const access = createAccess({
    keys: async () => [storedKey(VALID)],
    counters: createMemoryCounters(() => 0),
    anonymous: { ...generous, rowsPerSecond: 30_000, concurrent: 1 },
    keyed: { ...generous, rowsPerSecond: 100_000, concurrent: 1 },
    trusted: TrustedProxies.create({ proxies: 1 }),
    now: () => 0,
  })
  const server = fastify(serverOptions)
  closers.push(() => server.close())
  await server.register(
    restPlugin({ title: 'Test', version: '0', endpoints: [endpoint, expensive], access, timeoutMs: 60_000 }),
  )
  const ask = async (url: string, headers: Record<string, string>) => server.inject({ url, headers })
  const greedy = { 'x-forwarded-for': '6.6.6.6' }
  const all = Array.from({ length: 1_000 }, (_, i) => ask(`/v1/expensive?i=${i}`, greedy))
  // One request is in progress, and those that may wait do.
  const rejected = await all.at(-1)
  expect([rejected?.statusCode, rejected?.headers['retry-after']]).toEqual([429, '1'])
  expect(rejected?.json().message).toContain('use an API key, or ask for less')
  expect(ends).toHaveLength(1)
  const others = [{ 'x-forwarded-for': '203.0.113.9' }, { ...greedy, 'x-data-api-key': VALID }]
  for (const headers of others) {
    expect((await ask('/v1/thing', headers)).statusCode).toBe(200)
    const answer = ask('/v1/expensive', headers)
    await expect.poll(() => ends.length).toBe(2)
    ends.pop()?.()
    expect((await answer).statusCode).toBe(200)
  }
  for (let ended = 0; ended < 17; ended++) {
    await expect.poll(() => ends.length).toBe(1)
    ends.pop()?.()
  }
  const statuses = (await Promise.all(all)).map(({ statusCode }) => statusCode)
  expect(Map.groupBy(statuses, (status) => status).get(200)).toHaveLength(17)
  expect(Map.groupBy(statuses, (status) => status).get(429)).toHaveLength(983)
})
