import { TrustedProxies } from '@firn/http'
import fastify from 'fastify'
import { Type } from 'typebox'
import { afterEach, expect, test } from 'vitest'
import { type AccessOptions, createAccess } from './Access.ts'
import { define } from './Endpoint.ts'
import { front, serverOptions } from './Front.ts'
import { createMemoryCounters } from './RateLimit.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const endpoint = define({
  method: 'GET',
  path: '/v1/thing',
  summary: 'A thing',
  tag: 'Things',
  scope: 'data',
  units: 20,
  pathParameters: {},
  queryParameters: {},
  response: Type.Object({}),
  handle: async () => ({ body: {} }),
})

/** A server with one endpoint of 20 units, of which three calls a minute are allowed. */
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
    front({ title: 'Test', version: '0', endpoints: [endpoint], access, timeoutMs: 9_000 }),
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

// The test's own connection comes from 127.0.0.1.
test.each<[string, TrustedProxies.Options]>([
  ['without proxies', {}],
  ['behind one proxy', { proxies: 1 }],
  ['behind a trusted proxy', { trustedProxies: ['127.0.0.1'] }],
  ['from a peer that is no trusted proxy', { trustedProxies: ['10.0.0.0/8'] }],
])('a forged x-forwarded-for gives no fresh allowance %s', async (_name, options) => {
  const { statuses } = await serve({ trusted: TrustedProxies.create(options) })
  expect(await statuses((i) => ({ 'x-forwarded-for': `6.6.6.${i}, 203.0.113.9` }))).toEqual(LIMITED)
})

test('the IPv6 addresses of one /64 share an allowance, and others do not', async () => {
  const { statuses } = await serve({ trusted: TrustedProxies.create({ proxies: 1 }) })
  expect(await statuses((i) => ({ 'x-forwarded-for': `2001:db8:0:99::${i}` }))).toEqual(LIMITED)
  expect(await statuses((i) => ({ 'x-forwarded-for': `2001:db8:0:${i}::1` }))).toEqual([200, 200, 200, 200])
})
