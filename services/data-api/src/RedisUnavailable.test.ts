import { recordedStore } from '@firn/store/testing'
import { afterEach, expect, test, vi } from 'vitest'
import { createDataApi, type DataApiService } from './service/Service.ts'
import { type FakeRedis, openFakeRedis } from './testing/fakeRedis.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const LIMIT = { unitsPerMinute: 1_000_000, unitsPerDay: 1_000_000 }
const SUBNETS = '/v1/networks/local/subnets'

async function open(prepare: (redis: FakeRedis) => unknown = () => undefined) {
  const printed = vi.spyOn(console, 'error')
  closers.push(async () => printed.mockRestore())
  const redis = await openFakeRedis()
  closers.push(() => redis.stop())
  await prepare(redis)
  const service = await createDataApi({
    host: '127.0.0.1',
    port: 0,
    store: await recordedStore('local'),
    limits: { anonymous: LIMIT, keyed: LIMIT },
    redisUrl: redis.url,
    aggregateStatus: 200,
    timeoutMs: 60_000,
    version: '0',
  })
  closers.push(() => service.close())
  return { redis, service, printed }
}

const get = async ({ url }: DataApiService, path: string) => {
  const answer = await fetch(url + path)
  return {
    status: answer.status,
    headers: answer.headers,
    body: (await answer.json()) as { message?: string; reason?: string },
  }
}

async function expectAway(service: DataApiService) {
  const limited = await get(service, SUBNETS)
  expect([limited.status, limited.body.message]).toEqual([
    503,
    expect.stringMatching(/rate limiter is unreachable/),
  ])
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
  const unknown = await get(service, '/nothing')
  expect(unknown.status).toBe(503)
  const check = await get(service, '/v1/health-check')
  expect([check.status, check.body.message]).toEqual([
    503,
    expect.stringMatching(/rate limiter is unreachable/),
  ])
  const health = await get(service, '/health')
  expect(health.status).toBe(503)
  expect(health.body).toMatchObject({
    status: 'down',
    reason: expect.stringMatching(/rate limiter is unreachable/),
  })
  expect((await get(service, '/v1/live-check')).status).toBe(200)
}

async function expectBack(service: DataApiService) {
  await expect.poll(async () => (await get(service, SUBNETS)).status).toBe(200)
  expect((await get(service, '/health')).body).toMatchObject({ status: 'up' })
  expect((await get(service, '/v1/health-check')).body).toMatchObject({
    info: { rateLimiter: { status: 'up' } },
  })
}

test('returns 503 and reports unhealthy while Redis is unreachable, and recovers without a restart', async () => {
  const { redis, service, printed } = await open()
  await expectBack(service)
  await redis.stop()
  await expectAway(service)
  await redis.start()
  await expectBack(service)
  expect(printed).not.toHaveBeenCalled()
})

test('starts without Redis, and serves requests as soon as Redis is available', async () => {
  const { redis, service, printed } = await open((one) => one.stop())
  await expectAway(service)
  await redis.start()
  await expectBack(service)
  expect(printed).not.toHaveBeenCalled()
})

test('treats a Redis server that accepts connections but does not respond as unreachable', async () => {
  const { redis, service, printed } = await open()
  await expectBack(service)
  redis.hang(true)
  await expectAway(service)
  await redis.stop()
  redis.hang(false)
  await redis.start()
  await expectBack(service)
  expect(printed).not.toHaveBeenCalled()
})
