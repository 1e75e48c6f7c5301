import { randomBytes } from 'node:crypto'
import { database } from '@firn/sql/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openUsage } from '../testing/usage.ts'
import type { ApiRequest } from './ApiRequest.ts'
import { ApiRequests } from './ApiRequests.ts'
import * as ApiUsage from './ApiUsage.ts'
import * as RequestLog from './RequestLog.ts'
import type { UsageStore } from './UsageStore.ts'
import { UsageWriter } from './UsageWriter.ts'

const NOW = 1_800_000_000
const DAY = 86_400

let store: UsageStore
beforeAll(async () => {
  store = await openUsage()
})
afterAll(() => store.close())
beforeEach(async () => {
  await database(store).deleteFrom('api_usage').execute()
  await database(store).deleteFrom('api_request').execute()
})

let requests = 0
const request = (more: Partial<ApiRequest> = {}): ApiRequest => ({
  id: String(requests++).padStart(8, '0'),
  keyId: 'a'.repeat(16),
  time: NOW * 1_000,
  endpoint: '/v1/chains/{chainId}/blocks',
  path: '/v1/chains/43114/blocks',
  chainId: '43114',
  status: 200,
  milliseconds: 12,
  credits: 20,
  client: { address: '203.0.113.9', host: 'api.example.org', userAgent: 'curl' },
  ...more,
})

const write = async (some: readonly ApiRequest[], isLogging = true) => {
  const batch = new ApiRequests(isLogging)
  for (const one of some) batch.add(one)
  await store.driver.transaction((session) => batch.write(session))
}
const read = (interval: ApiUsage.Interval, more: Partial<ApiUsage.ApiUsageQuery> = {}) =>
  ApiUsage.read(store, { interval, from: 0n, to: BigInt(NOW) + 1n, limit: 1_000, ...more })
const logged = (more: Partial<RequestLog.LogQuery> = {}) =>
  RequestLog.page(store, { from: 0n, to: BigInt(NOW) * 1_000n + 1n, limit: 1_000, ...more })

describe('ApiRequests', () => {
  test('counts requests of a minute together, and logs each of them', async () => {
    await write([request(), request(), request({ status: 404 })])
    await write([request()])
    const [sum, ...others] = await read('minute')
    expect(others).toEqual([])
    expect(sum).toMatchObject({
      requests: 4n,
      credits: 80n,
      invalidRequests: 1n,
      invalidCredits: 20n,
      successes: 3n,
    })
    expect((await logged()).length).toBe(4)
  })

  test('keeps two digits of durations in counts, and all digits in the log', async () => {
    await write([0, 9, 99, 104, 1_999, 3e9].map((milliseconds) => request({ milliseconds })))
    const rows = await database(store).selectFrom('api_usage').select('milliseconds').execute()
    const kept = rows.map(({ milliseconds }) => milliseconds).toSorted((a, b) => a - b)
    expect(kept).toEqual([0, 9, 99, 100, 1_900, 2_100_000_000])
    const all = (await logged()).map(({ milliseconds }) => milliseconds)
    expect(all.toSorted((a, b) => a - b)).toEqual([0, 9, 99, 104, 1_999, 2_147_483_647])
  })

  test('stores hostile texts in a limited length', async () => {
    const hostile = `\0\ud800'"\\${'é'.repeat(5_000)}`
    const client = { address: hostile, host: hostile, userAgent: hostile }
    await write([request({ path: hostile, chainId: hostile, client })])
    const [row] = await logged()
    expect(row?.path.length).toBe(256)
    expect(row?.path).not.toMatch(/[\0\ud800]/)
    expect([row?.chain_id.length, row?.address.length, row?.user_agent.length]).toEqual([128, 128, 256])
  })

  test('drops and counts requests while too many wait for a database that fails', async () => {
    const driver = { ...store.driver, transaction: () => Promise.reject(new Error('gone')) }
    const broken = new Proxy(store, {
      get: (target, name) => (name === 'driver' ? driver : Reflect.get(target, name, target)),
    })
    const createBatch = () => new ApiRequests(true)
    const writer = new UsageWriter({
      ...{ store: broken, createBatch, random: randomBytes, intervalMs: 3_600_000, most: 11, patienceMs: 1 },
    })
    for (let i = 0; i < 25; i++) writer.record(request())
    expect([writer.waiting, writer.dropped]).toEqual([10, 15])
    expect(await writer.close()).toBe(10)
  })
})

describe('ApiUsage.sweep', () => {
  test('sums old minutes to hours, keeps the sums, and removes the oldest counts', async () => {
    const times = [
      0,
      59,
      60,
      3_599,
      3_600,
      5 * DAY,
      5 * DAY + 61,
      9 * DAY,
      9 * DAY + 3_661,
      399 * DAY,
      401 * DAY,
    ]
    await write(
      times.map((age, i) => request({ time: (NOW - age) * 1_000, milliseconds: i, status: 200 + (i % 2) })),
    )
    const [hours, minutes] = [await read('hourly', { groupBy: 'responseCode' }), await read('minute')]
    const sweep = () => ApiUsage.sweep(store, BigInt(NOW), 400n * BigInt(DAY))
    await Promise.all([sweep(), sweep()])
    const after = await read('hourly', { groupBy: 'responseCode' })
    expect(after).toEqual(hours.slice(1))
    const young = ({ begin }: { readonly begin: bigint }) => begin >= BigInt(NOW - 3 * DAY)
    expect((await read('minute')).filter(young)).toEqual(minutes.filter(young))
    const old = (await read('minute')).filter((sum) => !young(sum))
    expect(old.every(({ begin }) => begin % 3_600n === 0n)).toBe(true)
  })
})

describe('RequestLog', () => {
  test('lists the newest requests first, page by page, also within one millisecond', async () => {
    await write(Array.from({ length: 7 }, (_, i) => request({ time: NOW * 1_000 - Math.floor(i / 3) })))
    const all = await logged()
    const pages: string[] = []
    let after: RequestLog.LogPlace | undefined
    for (;;) {
      const page = await logged({ limit: 2, after })
      pages.push(...page.map(({ id }) => id))
      const last = page.at(-1)
      if (last === undefined) break
      after = { time: last.time_ms, id: last.id }
    }
    expect(pages).toEqual(all.map(({ id }) => id))
    expect(pages).toHaveLength(7)
  })

  test.each([
    [{ keyId: 'b'.repeat(16) }, 1],
    [{ chainId: '43113' }, 1],
    [{ status: 404 }, 1],
    [{ path: '/v1/chains/{chainId}/blocks' }, 4],
    [{ path: '/v1/chains/1/blocks' }, 1],
  ])('filters requests by %j', async (filter, count) => {
    await write([
      request(),
      request({ keyId: 'b'.repeat(16) }),
      request({ chainId: '43113' }),
      request({ status: 404, path: '/v1/chains/1/blocks' }),
      request({ endpoint: 'unknown path' }),
    ])
    expect(await logged(filter)).toHaveLength(count)
    const time = BigInt(NOW) * 1_000n
    expect(await logged({ ...filter, from: time })).toHaveLength(count)
    expect(await logged({ ...filter, to: time })).toHaveLength(0)
  })

  test('keeps the newest requests of each key, and none that are too old', async () => {
    const [one, two] = ['1'.repeat(16), '2'.repeat(16)]
    const ages = [0, 1, 2, 3, 10 * DAY]
    await write(
      [one, two].flatMap((keyId) => ages.map((age) => request({ keyId, time: (NOW - age) * 1_000 }))),
    )
    await RequestLog.sweep(store, { from: BigInt(NOW - 7 * DAY) * 1_000n, keyIds: [one], rows: 3 })
    const ageOf = (row: RequestLog.ApiRequestRow) => NOW - Number(row.time_ms / 1_000n)
    expect((await logged({ keyId: one })).map(ageOf)).toEqual([0, 1, 2])
    expect((await logged({ keyId: two })).map(ageOf)).toEqual([0, 1, 2, 3])
  })
})
