import { LedgerState } from '@firn/ledger'
import { PLANS } from '@firn/sql'
import { codeOf, database } from '@firn/sql/testing'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { CONSUME, CONSUME_ADDRESSES } from './internal/write.ts'
import { PARTITIONED } from './Schema.ts'
import { Store, schemaOf } from './Store.ts'
import { eachDatabase } from './testing/databases.ts'
import { openPGlite } from './testing/pglite.ts'
import { follow, load } from './testing/recordings.ts'
import { Writer } from './Writer.ts'

const { genesis, constants, chains } = load('local')
const blocks = [...follow(LedgerState.create(genesis, constants), chains)]

test('rejects an invalid schema name', async () => {
  for (const schema of ['', 'A', 'a-b', 'a"; drop schema public', '1a', 'a'.repeat(41)]) {
    expect(await codeOf(Store.open({ schema }))).toBe('STORE_SCHEMA')
  }
  expect(schemaOf(12_345)).toBe('primary_12345')
})

test('reads a snapshot at most once in 200 ms, and again after each commit', async () => {
  let now = 0
  const fresh = await openPGlite(() => now)
  await fresh.migrate()
  expect(await codeOf(fresh.snapshot())).toBe('STORE_EMPTY')
  const { writer } = await Writer.open(fresh, genesis, constants)
  // A failed read must not be cached.
  const first = await fresh.snapshot()
  expect(first.key).toBe('0.0.0')
  expect(await fresh.snapshot()).toBe(first)
  now += 199
  expect(await fresh.snapshot()).toBe(first)
  now += 1
  const second = await fresh.snapshot()
  expect(second).not.toBe(first)
  expect(second).toEqual(first)
  let heard = 0
  const end = fresh.onAdvance(() => heard++)
  await writer.commit(blocks.slice(0, 1))
  expect((await fresh.snapshot()).key).not.toBe('0.0.0')
  end()
  await writer.commit(blocks.slice(1, 2))
  expect(heard).toBe(1)
  await fresh.close()
})

test('rejects with the abort reason when reading a snapshot is aborted', async () => {
  const store = await openPGlite()
  await expect(store.snapshot(AbortSignal.abort(new RangeError('gone')))).rejects.toThrow('gone')
  await store.close()
})

test('throws errors with codes for rejected statements and for statements after the store is closed', async () => {
  const store = await openPGlite()
  await store.migrate()
  expect(await codeOf(sql`select * from nothing`.execute(database(store)))).toBe('STORE_QUERY')
  await store.close()
  expect(await codeOf(store.driver.transaction((session) => session.query('select 1')))).toBe(
    'STORE_UNAVAILABLE',
  )
})

eachDatabase(({ open }) => {
  test('returns the same numbers and bytes with both drivers', async () => {
    const store = await open()
    const { rows } = await sql`select count(*) as n, sum(x) as sum, '\\x00ff'::bytea as bytes,
      array['\\x'::bytea, '\\x2c22'::bytea] as list, 18446744073709551615::numeric(20) as most,
      array[1, 2]::int8[] as many, array[]::bytea[] as none from generate_series(1, 3) x`.execute(
      database(store),
    )
    const bytes = (...values: number[]) => new Uint8Array(values)
    expect(rows).toEqual([
      {
        n: 3n,
        sum: 6n,
        bytes: bytes(0, 255),
        list: [bytes(), bytes(44, 34)],
        most: 2n ** 64n - 1n,
        many: [1n, 2n],
        none: [],
      },
    ])
  })

  test('rejects tables created by a later version', async () => {
    const store = await open()
    await store.migrate()
    await sql`insert into kysely_migration (name, timestamp) values ('9999_later', '')`.execute(
      database(store),
    )
    expect(await codeOf(store.migrate())).toBe('STORE_SCHEMA')
  })

  test('rejects tables that lack a migration before the last one', async () => {
    const store = await open()
    await store.migrate()
    await sql`delete from kysely_migration where name = '0002_services'`.execute(database(store))
    expect(await codeOf(store.migrate())).toBe('STORE_SCHEMA')
  })

  describe('a store with recorded blocks', () => {
    const filled = async () => {
      const store = await open()
      const { writer } = await Writer.open(store, genesis, constants)
      await writer.commit(blocks)
      return store
    }

    test('looks up consumed UTXOs by key in their partition, regardless of the table statistics', async () => {
      const store = await filled()
      // The table gets many live and many dead rows that the statistics don't cover yet.
      await sql`insert into utxo_address (address, chain, source, height, ordinal, id, consumed_height)
        select '\\x00'::bytea, 'P', 'P', 1000 + n, 0, '\\x00'::bytea, nullif(n % 2, 0)
        from generate_series(1, 2000) n`.execute(database(store))
      await sql`insert into utxo (id, chain, source, height, ordinal, time, tx_id, output_index, asset_id, output, output_type,
          locktime, threshold, addresses, origin, consumed_height)
        select '\\x00'::bytea, 'P', 'P', 1000 + n, 0, 0, '\\x00'::bytea, 0, '\\x00'::bytea, '\\x00'::bytea, 7, 0, 1, '{}', 'output',
          nullif(n % 2, 0)
        from generate_series(1, 2000) n`.execute(database(store))
      const values = ['P', '3', '0', '9', 'null', '1'].map((item) => `{${Array(1000).fill(item).join()}}`)
      const plans = await store.driver.transaction(async (session) => {
        await session.query(PLANS)
        const explain = async (text: string, count: number) => {
          const rows = await session.query(`explain ${text}`, values.slice(0, count))
          return rows.map((row) => row['QUERY PLAN']).join('\n')
        }
        const before = [await explain(CONSUME, 6), await explain(CONSUME_ADDRESSES, 4)]
        await session.query('analyze utxo')
        await session.query('analyze utxo_address')
        return [...before, await explain(CONSUME, 6), await explain(CONSUME_ADDRESSES, 4)]
      })
      for (const plan of plans) {
        expect(plan).toMatch(/Index Scan using utxo(_address)?_p_0_pkey/)
        expect(plan).not.toMatch(/Seq Scan|Hash|Merge|Bitmap/)
        // The plan must look up each key instead of scanning all keys for each row of the table.
        expect(plan).toMatch(/Nested Loop.*\n\s*->\s+Function Scan on c/)
      }
    })

    test('creates partitions of each table for each chain, and creates the next partitions in advance', async () => {
      const store = await filled()
      const names = async () =>
        (
          await sql<{ name: string }>`select relname as name from pg_class
            where relispartition and relkind = 'r' and relnamespace = current_schema()::regnamespace`.execute(
            database(store),
          )
        ).rows.map(({ name }) => name)
      const first = ['p', 'x', 'c'].flatMap((chain) => PARTITIONED.map((name) => `${name}_${chain}_0`))
      expect((await names()).toSorted()).toEqual(first.toSorted())
      // The test moves the last block of the P-chain to the last height of its first partition.
      const end = 2n ** 20n - 1n
      await database(store)
        .updateTable('block')
        .set({ height: end })
        .where('chain', '=', 'P')
        .where('height', '=', 85n)
        .execute()
      await database(store).updateTable('cursor').set({ height: end }).where('chain', '=', 'P').execute()
      const { writer, state } = await Writer.open(store, genesis, constants)
      const tip = LedgerState.tip(state, 'P')
      const after = { ...tip, height: end + 1n, blockId: new Uint8Array(32).fill(9) }
      const change = { type: 'tip', before: tip, after, txId: undefined } as const
      await writer.commit([
        { chain: 'P', bytes: new Uint8Array(9), parentId: tip.blockId, changes: [change] },
      ])
      expect((await names()).toSorted()).toEqual(
        [...first, ...PARTITIONED.map((name) => `${name}_p_1`)].toSorted(),
      )
      const { rows } = await sql`select height from block_p_1`.execute(database(store))
      expect(rows).toEqual([{ height: end + 1n }])
    })
  })
})
