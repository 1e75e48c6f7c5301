import { database, TestPostgres } from '@firn/sql/testing'
import { Store, Writer } from '@firn/store'
import { Recordings } from '@firn/store/testing'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { serve } from './testing/serve.ts'

describe.skipIf(TestPostgres.missing() !== undefined)('statement timeout', { tags: ['postgres'] }, () => {
  test('returns 503 with the reason if a statement takes too long, and serves the next request', async () => {
    const url = await TestPostgres.url()
    const schema = `test_slow_${process.pid}`
    const store = await Store.open({ url, schema, statementTimeoutMs: 200 })
    const other = await Store.open({ url, schema })
    try {
      // Creating the tables may take longer than the timeout.
      await other.migrate()
      const { genesis, constants } = Recordings.load('local')
      await Writer.open(other, genesis, constants)
      const ask = await serve(store)
      const held = await database(other).startTransaction().execute()
      await sql`lock table subnet in access exclusive mode`.execute(held)
      expect(await ask('/v1/networks/local/subnets')).toMatchObject({
        status: 503,
        json: {
          message: 'the database query took too long; request less data at once or try again later',
          error: 'Service Unavailable',
          statusCode: 503,
        },
      })
      await held.rollback().execute()
      expect(await ask('/v1/networks/local/subnets')).toMatchObject({ status: 200 })
    } finally {
      await database(store).schema.dropSchema(schema).ifExists().cascade().execute()
      await Promise.all([store.close(), other.close()])
    }
  })
})
