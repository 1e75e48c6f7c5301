import { isFirnError } from '@firn/codec'
import { BlockReader } from '@firn/evm'
import { inventedChain, inventedFacts } from '@firn/evm/testing'
import { SERVICE_TABLES } from '@firn/service-store'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as EvmDoctor from './EvmDoctor.ts'
import { EVM_TABLES } from './EvmSchema.ts'
import type { EvmStore } from './EvmStore.ts'
import { EvmWriter } from './EvmWriter.ts'
import { evm as migrations } from './gen/migrations.ts'
import { resetEvmChain } from './resetEvmChain.ts'
import { eachDatabase } from './testing/databases.ts'
import { TEST_CHAIN } from './testing/evm.ts'

const BLOCKS = inventedChain({ seed: 3 })
  .grow(12)
  .map((parts) => BlockReader.read(parts))
  .map((block) => ({
    block,
    contracts: block.transactions.flatMap(({ logs }) => logs.map(({ address }) => inventedFacts(address))),
  }))
/** Number of indexes that only requests need. */
const COUNT = Object.values(EVM_TABLES).flatMap((table) =>
  'requestIndexes' in table ? table.requestIndexes : [],
).length

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (isFirnError(error) ? error.code : error),
  )
const query = (store: EvmStore, text: string) => store.driver.transaction((session) => session.query(text))
const missing = async (store: EvmStore) => (await query(store, 'select from deferred_index')).length
/** Returns the names and definitions of the indexes, without indexes of shards. */
const indexes = (store: EvmStore) =>
  query(
    store,
    `select indexname, replace(indexdef, current_schema() || '.', '') as definition from pg_indexes
      where schemaname = current_schema() order by 1`,
  )
const invalid = async (store: EvmStore) =>
  (await query(store, `select from pg_index where not indisvalid`)).length

/** Opens a writer that defers indexes, and stores the first blocks. */
async function filling(store: EvmStore): Promise<EvmWriter> {
  const writer = await EvmWriter.open(store, TEST_CHAIN, { defersIndexes: true })
  await writer.commit(BLOCKS.slice(0, 6))
  return writer
}

test('declares for each index of a chain whether only requests need it', () => {
  const unclassified = Object.entries(EVM_TABLES).filter(
    // Tables of services are not filled with blocks.
    ([name, table]) =>
      (table.indexes ?? []).length > 0 && !('requestIndexes' in table) && !(name in SERVICE_TABLES),
  )
  expect(unclassified).toEqual([])
  expect(COUNT).toBeGreaterThan(20)
})

eachDatabase(({ name, openEvm, againEvm }) => {
  describe('a chain that is filled without the indexes that only requests need', () => {
    test('has the same indexes and rows in the end', async () => {
      const store = await openEvm()
      const expected = await openEvm()
      await (await EvmWriter.open(expected, TEST_CHAIN)).commit(BLOCKS)
      const before = (await indexes(store)).length
      const writer = await filling(store)
      expect(await missing(store)).toBe(COUNT)
      await writer.commit(BLOCKS.slice(6))
      const built: string[] = []
      await writer.buildIndexes(undefined, ({ table, definition }) => built.push(`${table} ${definition}`))
      expect(built).toHaveLength(COUNT)
      expect(before).toBeGreaterThan(COUNT)
      expect(await indexes(store)).toEqual(await indexes(expected))
      expect((await EvmDoctor.check(store)).faults).toEqual([])
      expect(await EvmDoctor.completeness(store)).toEqual(await EvmDoctor.completeness(expected))
    })

    test('is not served until they are built, in all processes', async () => {
      const store = await openEvm()
      const reader = await againEvm(store)
      const writer = await filling(store)
      for (const one of [store, reader]) {
        expect(await codeOf(one.snapshot())).toBe('STORE_UNINDEXED')
        expect(await codeOf(one.snapshotAt(3n))).toBe('STORE_UNINDEXED')
      }
      await writer.buildIndexes()
      await expect.poll(() => codeOf(reader.snapshot())).toBeUndefined()
      await writer.commit(BLOCKS.slice(6))
      expect((await store.snapshot()).height).toBe(11n)
    })

    test('is reported by the doctor, with what to do', async () => {
      const store = await openEvm()
      await filling(store)
      const { faults } = await EvmDoctor.check(store)
      expect(faults).toHaveLength(COUNT)
      expect(faults.find(({ table }) => table === 'creation')?.message).toMatch(
        /^the index \(deployer, .* is not built yet, .* without --indexes-after-backfill/,
      )
    })

    test('continues to be filled by the next writer, with or without the option', async () => {
      const store = await openEvm()
      await filling(store)
      expect((await EvmWriter.open(store, TEST_CHAIN)).missingIndexes).toBe(COUNT)
      const writer = await EvmWriter.open(store, TEST_CHAIN, { defersIndexes: true })
      await writer.commit(BLOCKS.slice(6))
      expect(await missing(store)).toBe(COUNT)
      await writer.buildIndexes()
      expect((await EvmWriter.open(store, TEST_CHAIN, { defersIndexes: true })).missingIndexes).toBe(0)
      expect(await missing(store)).toBe(0)
    })

    test('undoes blocks as with indexes', async () => {
      const store = await openEvm()
      const writer = await filling(store)
      await writer.commit(BLOCKS.slice(6))
      await writer.undo(3n)
      await writer.commit(BLOCKS.slice(4))
      await writer.undo(-1n)
      await writer.commit(BLOCKS)
      await writer.buildIndexes()
      expect((await EvmDoctor.check(store)).faults).toEqual([])
    })

    test('continues to build where an aborted call stopped', async () => {
      const store = await openEvm()
      const writer = await filling(store)
      const stop = new AbortController()
      let built = 0
      await writer.buildIndexes(stop.signal, () => {
        built += 1
        if (built === 3) stop.abort()
      })
      expect([built, await missing(store), writer.missingIndexes]).toEqual([3, COUNT - 3, COUNT - 3])
      expect(await codeOf(store.snapshot())).toBe('STORE_UNINDEXED')
      const next = await EvmWriter.open(store, TEST_CHAIN)
      await next.buildIndexes(undefined, () => built++)
      expect([built, await missing(store), await invalid(store)]).toEqual([COUNT, 0, 0])
    })

    test('has all indexes before it is migrated', async () => {
      const store = await openEvm()
      await filling(store)
      const later: Record<string, string> = migrations
      onTestFinished(() => void delete later['9999_test'])
      later['9999_test'] = 'drop index log_address_height_idx;\n'
      await store.migrate()
      expect(await missing(store)).toBe(0)
      expect(JSON.stringify(await indexes(store))).not.toContain('log_address_height_idx')
    })

    test('still lacks them after a reset', async () => {
      const store = await openEvm()
      await filling(store)
      await resetEvmChain(store)
      expect(await missing(store)).toBe(COUNT)
      const writer = await EvmWriter.open(store, TEST_CHAIN)
      await writer.commit(BLOCKS)
      await writer.buildIndexes()
      expect((await EvmDoctor.check(store)).faults).toEqual([])
    })
  })

  test('keeps the indexes of a chain that has blocks', async () => {
    const store = await openEvm()
    await (await EvmWriter.open(store, TEST_CHAIN)).commit(BLOCKS.slice(0, 6))
    const before = await indexes(store)
    const writer = await EvmWriter.open(store, TEST_CHAIN, { defersIndexes: true })
    await writer.commit(BLOCKS.slice(6))
    expect([writer.missingIndexes, await indexes(store)]).toEqual([0, before])
    expect((await store.snapshot()).height).toBe(11n)
  })

  // A waiting statement needs a second connection, and another process cannot change the catalog of PGlite.
  if (name === 'PGlite') return

  test('reports an invalid index that someone has left behind', async () => {
    const store = await openEvm()
    await (await EvmWriter.open(store, TEST_CHAIN)).commit(BLOCKS)
    const [row] = await query(store, `select 'contract_beacon_idx'::regclass::oid as oid`)
    await query(store, `update pg_index set indisvalid = false where indexrelid = ${row?.['oid']}`)
    const { faults } = await EvmDoctor.check(store)
    expect(faults).toMatchObject([
      { table: 'contract', message: expect.stringMatching(/index contract_beacon_idx is invalid/) },
    ])
  })

  describe('an index that is being built', () => {
    /** Runs `work` while the first missing index waits for a lock. */
    async function whileWaiting(store: EvmStore, work: () => Promise<unknown>): Promise<void> {
      const other = await againEvm(store)
      await other.driver.transaction(async (session) => {
        await session.query('lock table block in row exclusive mode')
        await work()
      })
    }
    const isWaiting = (store: EvmStore) =>
      store.driver.control(`select pid from pg_stat_activity where query like 'create index on block%'
        and wait_event_type = 'Lock' and pid in (select pid from pg_locks where relation = 'block'::regclass)`)

    async function giveUp(store: EvmStore): Promise<void> {
      const writer = await filling(store)
      const stop = new AbortController()
      await whileWaiting(store, async () => {
        const building = writer.buildIndexes(stop.signal)
        await expect.poll(async () => (await isWaiting(store)).length).toBe(1)
        stop.abort()
        await building
      })
      expect([await missing(store), await invalid(store)]).toEqual([COUNT, 0])
      await writer.buildIndexes()
      expect(await missing(store)).toBe(0)
    }

    test('is given up when the signal is aborted', async () => {
      await giveUp(await openEvm())
    })

    test('is given up on a server that has another function to cancel statements', async () => {
      const store = await openEvm()
      await query(
        store,
        `create function pg_cancel_backend(global_pid int8) returns boolean language sql as 'select false'`,
      )
      await giveUp(store)
    })

    test('is built by the next process if the connection is lost', async () => {
      const store = await openEvm()
      const writer = await filling(store)
      await whileWaiting(store, async () => {
        const building = codeOf(writer.buildIndexes())
        await expect.poll(async () => (await isWaiting(store)).length).toBe(1)
        const [row] = await isWaiting(store)
        await store.driver.control('select pg_terminate_backend($1::int4)', [row?.['pid']])
        expect(await building).toBe('STORE_UNAVAILABLE')
      })
      expect([await missing(store), await invalid(store)]).toEqual([COUNT, 0])
      const next = await EvmWriter.open(await againEvm(store), TEST_CHAIN)
      await next.buildIndexes()
      expect([await missing(store), next.missingIndexes]).toEqual([0, 0])
    })

    test('is built once if two processes build', async () => {
      const store = await openEvm()
      const writer = await filling(store)
      const other = await EvmWriter.open(await againEvm(store), TEST_CHAIN)
      const built: string[] = []
      const add = (index: { readonly table: string; readonly definition: string }) =>
        void built.push(`${index.table} ${index.definition}`)
      await Promise.all([writer.buildIndexes(undefined, add), other.buildIndexes(undefined, add)])
      expect([built.length, new Set(built).size]).toEqual([COUNT, COUNT])
    })
  })
})
