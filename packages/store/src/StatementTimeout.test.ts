import { database, TestPostgres } from '@firn/sql/testing'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { Store } from './Store.ts'

describe.skipIf(TestPostgres.missing() !== undefined)(
  'the statement timeout on PostgreSQL',
  { tags: ['postgres'] },
  () => {
    const schema = `test_bound_${process.pid}`

    test('cancels slow statements, but not the statements of migrations and writers', async () => {
      const store = await Store.open({ url: await TestPostgres.url(), schema, statementTimeoutMs: 200 })
      try {
        await store.migrate()
        const slow = sql`select pg_sleep(1)`.execute(database(store))
        await expect(slow).rejects.toMatchObject({ code: 'STORE_TIMEOUT', details: { sqlState: '57014' } })
        const writing = store.driver.transaction(
          async (session) => await session.query('select pg_sleep(0.5), 7 as seven'),
        )
        await expect(writing).resolves.toMatchObject([{ seven: 7 }])
        // The connection that ran the migration has its statement timeout again, and no timeout closed a
        // connection.
        const bounds = await Promise.all(
          Array.from({ length: 4 }, () =>
            sql`select current_setting('statement_timeout') as bound`.execute(database(store)),
          ),
        )
        expect(bounds.map(({ rows }) => rows)).toEqual(Array(4).fill([{ bound: '200ms' }]))
      } finally {
        await database(store).schema.dropSchema(schema).ifExists().cascade().execute()
        await store.close()
      }
    })

    test('sets no statement timeout by default', async () => {
      const store = await Store.open({ url: await TestPostgres.url(), schema })
      try {
        const { rows } = await sql`select current_setting('statement_timeout') as bound`.execute(
          database(store),
        )
        expect(rows).toEqual([{ bound: '0' }])
      } finally {
        await store.close()
      }
    })
  },
)
