import { randomBytes } from 'node:crypto'
import { BlockReader } from '@firn/evm'
import { inventedChain } from '@firn/evm/testing'
import { type EvmStore, EvmWriter } from '@firn/evm-store'
import { openEvm, TEST_CHAIN } from '@firn/evm-store/testing'
import { database, TestPostgres } from '@firn/sql/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKey } from '../operate/KeyRing.ts'
import { createDataApi, type DataApiService } from '../service/Service.ts'
import { contractsOf } from '../testing/plainHolders.ts'

const CALLERS = 200
const CHAIN = '/v2/chains/1337'
const allowance = { unitsPerMinute: 4_500, unitsPerDay: 100_000 }
const chain = inventedChain({ seed: 11, transactions: [2, 6], accounts: 12 })
chain.grow(40)
const [contract = ''] = contractsOf(chain.blocks, 20)

async function fill(store: EvmStore): Promise<EvmStore> {
  const writer = await EvmWriter.open(store, TEST_CHAIN)
  await writer.commit(chain.blocks.map((parts) => ({ block: BlockReader.read(parts), contracts: [] })))
  return store
}

const serve = (
  store: EvmStore,
  limits: { anonymous: typeof allowance; keyed: typeof allowance } | undefined,
) =>
  createDataApi({
    host: '127.0.0.1',
    port: 0,
    chains: [{ store, nodes: [] }],
    limits,
    aggregateStatus: 200,
    timeoutMs: 60_000,
    version: '0',
  })

describe.skipIf(TestPostgres.missing() !== undefined)(
  '200 concurrent callers of expensive metrics',
  { tags: ['postgres'] },
  () => {
    let store: EvmStore
    let other: EvmStore
    let service: DataApiService
    const schema = `test_expensive_${process.pid}`

    beforeAll(async () => {
      const url = await TestPostgres.url()
      store = await fill(await openEvm({ url, schema }))
      other = await openEvm({ url, schema, connections: 2 })
      service = await serve(store, undefined)
    })
    afterAll(async () => {
      await service?.close()
      if (store !== undefined) await database(store).schema.dropSchema(schema).ifExists().cascade().execute()
      await Promise.all([store?.close(), other?.close()])
    })

    const get = (path: string) => fetch(service.url + path)

    test.each([
      ['holders', 'token_holder', (i: number) => `${CHAIN}/contracts/${contract}/balances?threshold=${i}`],
    ])(
      'keeps database connections free for cheap endpoints during expensive queries for %s',
      async (_name, table, pathOf) => {
        // The lock blocks all readers of the table until the test releases it.
        const held = await database(other).startTransaction().execute()
        await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(held)
        const callers = Array.from({ length: CALLERS }, (_, i) => get(pathOf(i)))
        const waiting = async () => {
          const { rows } = await sql<{ count: bigint }>`select count(*) as count from pg_locks l
        join pg_class c on c.oid = l.relation where c.relname = ${table} and not l.granted`.execute(
            database(other),
          )
          return Number(rows[0]?.count)
        }
        await expect.poll(waiting).toBeGreaterThan(0)
        for (const path of [
          '/v1/chains/1337/blocks?pageSize=1',
          '/v1/chains/1337/transactions?pageSize=1',
          `${CHAIN}/metrics/txCount`,
          `${CHAIN}/rollingWindowMetrics/txCount`,
          '/v2/health-check',
        ]) {
          expect([path, (await get(path)).status]).toEqual([path, 200])
        }
        // At most two calls run at once, and several statements of each call may wait for the lock.
        expect(await waiting()).toBeLessThanOrEqual(4)
        await held.rollback().execute()
        const answers = await Promise.all(callers)
        const statuses = new Set(answers.map(({ status }) => status))
        expect([...statuses].every((status) => status === 200 || status === 503)).toBe(true)
        expect(statuses).toContain(200)
        for (const { status, headers } of answers)
          if (status === 503) expect(headers.get('retry-after')).toBe('5')
        expect((await get(pathOf(0))).status).toBe(200)
      },
    )

    test('searches fewer transfers for callers with a smaller budget', async () => {
      const blocks = chain.blocks.map((parts) => BlockReader.read(parts))
      const [first, last] = [blocks[2], blocks.at(-1)]
      await database(other).executeQuery(
        sql`insert into transfer select ${String(last?.height)}, 1000000 + n, 0, 0, 20, decode(${contract.slice(2)}, 'hex'),
          decode(repeat('88', 20), 'hex'), decode(repeat('88', 20), 'hex'), null, 1 from generate_series(1, 11000) n`.compile(
          database(other),
        ),
      )
      const path = `${CHAIN}/contracts/${contract}/balances?threshold=0&pageSize=10&startTimestamp=${first?.timestamp}`
      const units = { unitsPerMinute: 1_000_000, unitsPerDay: 1_000_000 }
      const small = { ...units, rowsPerSecond: 11_000 }
      const limited = await serve(store, { anonymous: small, keyed: small })
      try {
        const answer = await fetch(limited.url + path)
        expect([answer.status, await answer.json()]).toEqual([
          400,
          expect.objectContaining({ message: expect.stringContaining('use an API key') }),
        ])
        expect((await get(path)).status).toBe(200)
      } finally {
        await limited.close()
      }
    })
  },
)

describe('compute units of metrics', () => {
  test('charges more compute units for a request that reads more data', async () => {
    const store = await fill(await openEvm())
    const service = await serve(store, { anonymous: allowance, keyed: allowance })
    const time = Number(BlockReader.read(chain.blocks[0] as (typeof chain.blocks)[0]).timestamp)
    const holders = `${CHAIN}/contracts/${contract}/balances?threshold=0`
    try {
      const prices = [
        [`${CHAIN}/metrics/txCount`, 100],
        [`${CHAIN}/metrics/txCount?pageSize=2160`, 306],
        [`${CHAIN}/rollingWindowMetrics/txCount`, 100],
        [`${CHAIN}/rollingWindowMetrics/activeAddresses`, 100],
        [holders, 1_000],
        [`${holders}&pageSize=5000`, 1_800],
        [`${holders}&startTimestamp=${time}&endTimestamp=${time + 10 * 86_400}`, 1_100],
        [`${holders}&startTimestamp=1`, 3_000],
      ] as const
      const settings = { name: 'a test', scopes: ['metrics'] as const, ...allowance }
      const keys = await Promise.all(prices.map(() => createKey(store, settings, randomBytes, 1_795_000_000)))
      for (const [i, [path, units]] of prices.entries()) {
        const headers = { 'x-data-api-key': keys[i] ?? '' }
        // The service caches keys for a few seconds.
        await expect.poll(async () => (await fetch(`${service.url}/v2/chains`, { headers })).status).toBe(200)
        const left = async (path: string) => {
          const answer = await fetch(service.url + path, { headers })
          const [units, remaining] = ['x-compute-units', 'ratelimit-remaining'].map((name) =>
            Number(answer.headers.get(name)),
          )
          return { status: answer.status, units, remaining }
        }
        const before = await left('/v2/chains')
        const after = await left(path)
        expect([path, after.status, after.units]).toEqual([path, 200, units])
        // If a new minute has started since the request, the allowance is full again.
        const fresh = allowance.unitsPerMinute - units
        expect([(before.remaining ?? 0) - units, fresh]).toContain(after.remaining)
      }
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, i) => fetch(`${service.url}${holders}&startTimestamp=1&caller=${i}`)),
      )
      const refused = answers.filter(({ status }) => status === 429)
      expect(refused.length).toBeGreaterThan(30)
      expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
    } finally {
      await service.close()
      await store.close()
    }
  })
})
