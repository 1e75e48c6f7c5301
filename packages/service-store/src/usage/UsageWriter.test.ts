import { randomBytes } from 'node:crypto'
import { codeOf, database } from '@firn/sql/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openUsage } from '../testing/usage.ts'
import * as BypassTokens from './BypassTokens.ts'
import * as UsageLoads from './UsageLoads.ts'
import * as UsageMetrics from './UsageMetrics.ts'
import type { UsageRequest } from './UsageRequest.ts'
import type { UsageStore } from './UsageStore.ts'
import { UsageSums } from './UsageSums.ts'
import { UsageWriter } from './UsageWriter.ts'

const createBatch = () => new UsageSums()

let store: UsageStore
beforeAll(async () => {
  store = await openUsage()
})
afterAll(() => store.close())
beforeEach(() => database(store).deleteFrom('usage').execute())

const request = (more: Partial<UsageRequest> = {}): UsageRequest => ({
  time: 1_800_000_000,
  chainId: '43114',
  method: 'eth_call',
  status: 200,
  token: '',
  milliseconds: 3,
  credits: 20,
  ...more,
})

const counted = async () => {
  const rows = await database(store).selectFrom('usage').select(['requests', 'credits']).execute()
  return [rows.length, rows.reduce((sum, row) => sum + row.requests, 0n)]
}

/**
 * Returns a store whose database fails on demand, either before a transaction or after it. In the second
 * case, the commit isn't confirmed.
 */
const failing = (): { store: UsageStore; fail: 'never' | 'before' | 'after' } => {
  const state: { store: UsageStore; fail: 'never' | 'before' | 'after' } = { store, fail: 'never' }
  const driver: UsageStore['driver'] = {
    ...store.driver,
    async transaction(work) {
      if (state.fail === 'before') throw Object.assign(new Error('gone'), { code: '08006' })
      const result = await store.driver.transaction(work)
      if (state.fail === 'after') throw Object.assign(new Error('gone'), { code: '08006' })
      return result
    },
  }
  state.store = new Proxy(store, {
    get: (target, name) => (name === 'driver' ? driver : Reflect.get(target, name, target)),
  })
  return state
}

test('stores identical requests in one row, and adds up the counts of several writers', async () => {
  const writers = [0, 1].map(
    () => new UsageWriter({ createBatch, store, random: randomBytes, intervalMs: 3_600_000 }),
  )
  for (const writer of writers) {
    for (let at = 0; at < 500; at++) writer.record(request({ milliseconds: at % 2 }))
    expect(await writer.close()).toBe(0)
  }
  expect(await counted()).toEqual([2, 1000n])
})

test('counts a batch only once if its commit was not confirmed', async () => {
  const state = failing()
  const writer = new UsageWriter({
    createBatch,
    store: state.store,
    random: randomBytes,
    intervalMs: 3_600_000,
  })
  writer.record(request())
  state.fail = 'after'
  expect(await writer.flush()).toBe(false)
  writer.record(request())
  state.fail = 'never'
  expect(await writer.flush()).toBe(true)
  expect(await counted()).toEqual([1, 2n])
  expect(await writer.close()).toBe(0)
})

test('keeps a limited number of rows while the database is down and reports dropped requests', async () => {
  const state = failing()
  const writer = new UsageWriter({
    createBatch,
    store: state.store,
    random: randomBytes,
    intervalMs: 3_600_000,
    most: 10,
  })
  state.fail = 'before'
  for (let round = 0; round < 5; round++) {
    for (let at = 0; at < 100; at++) writer.record(request({ milliseconds: at }))
    expect(await writer.flush()).toBe(false)
  }
  // Requests still count if their row is already waiting: ten in the failed batch, and ten in each of the
  // four later rounds.
  expect([writer.waiting, writer.dropped]).toEqual([50, 450])
  state.fail = 'never'
  expect(await writer.close()).toBe(0)
  expect(await counted()).toEqual([10, 50n])
})

test('closes even if the database never responds', async () => {
  const driver = { ...store.driver, transaction: () => new Promise<never>(() => undefined) }
  const stuck = new Proxy(store, {
    get: (target, name) => (name === 'driver' ? driver : Reflect.get(target, name, target)),
  })
  const writer = new UsageWriter({
    createBatch,
    store: stuck,
    random: randomBytes,
    intervalMs: 3_600_000,
    patienceMs: 50,
  })
  writer.record(request())
  expect(await writer.close()).toBe(1)
})

test("counts requests with names that a database can't store", async () => {
  const writer = new UsageWriter({ createBatch, store, random: randomBytes, intervalMs: 3_600_000 })
  for (const method of ['\0', '\ud800', 'é'.repeat(500), '']) writer.record(request({ method }))
  expect(await writer.close()).toBe(0)
  const query = { interval: 'daily', from: 0n, to: 2_000_000_000n, limit: 10, groupBy: 'rpcMethod' } as const
  const groups = (await UsageMetrics.read(store, query)).map(({ group }) => group)
  // The first two names are both replaced by the replacement character.
  expect(groups).toEqual(['', 'é'.repeat(128), '\ufffd'])
})

test('counts the first lines of a log only once, even if they are loaded again', async () => {
  const sums = new UsageSums()
  for (let at = 0; at < 5; at++) sums.add(request())
  const end = { lines: 5n, digest: randomBytes(32) }
  expect(await UsageLoads.count(store, sums, end)).toBe(true)
  expect(await UsageLoads.count(store, sums, end)).toBe(false)
  expect(await counted()).toEqual([1, 5n])
  expect(await UsageLoads.beginnings(store)).toEqual([{ lines: 5n, digest: new Uint8Array(end.digest) }])
})

test('lists the bypass tokens of one second in the order of creation', async () => {
  const row = { credits_per_second: null, created_at: 0n, revoked_at: null }
  for (const name of ['one', 'two', 'three', 'four', 'five'])
    await BypassTokens.add(store, { ...row, name, hint: name, hash: randomBytes(32) })
  const names = (await BypassTokens.list(store)).map(({ name }) => name)
  expect(names).toEqual(['one', 'two', 'three', 'four', 'five'])
  for (const name of names) await BypassTokens.revoke(store, name, 1n)
})

test('allows the name of a bypass token to be reused after the token is revoked', async () => {
  const row = { hint: 'firn_x', name: 'explorer', credits_per_second: null, created_at: 1n, revoked_at: null }
  await BypassTokens.add(store, { ...row, hash: randomBytes(32) })
  expect(await codeOf(BypassTokens.add(store, { ...row, hash: randomBytes(32) }))).toBe('STORE_QUERY')
  expect(await BypassTokens.revoke(store, 'explorer', 2n)).toBe(1)
  expect(await BypassTokens.revoke(store, 'explorer', 3n)).toBe(0)
  await BypassTokens.add(store, { ...row, hash: randomBytes(32), created_at: 4n })
  const stored = (await BypassTokens.list(store)).filter(({ name }) => name === 'explorer')
  expect(stored.map(({ revoked_at }) => revoked_at)).toEqual([2n, null])
})
