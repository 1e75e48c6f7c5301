import type { Kysely } from 'kysely'
import { afterAll, describe, onTestFinished } from 'vitest'
import type { Driver } from '../Driver.ts'
import { type DriverOptions, openDriver } from '../openDriver.ts'
import { DATABASE } from '../Queryable.ts'
import { borrowPGlite } from './pglite.ts'
import * as postgres from './postgres.ts'

const { FIRN_CITUS_URL = '' } = process.env
/** URL of a database on the coordinator of a Citus cluster; empty if there is none. For tests only. */
export const CITUS_URL = FIRN_CITUS_URL

/** A store of any tables. For tests only. */
export interface TestStore {
  // biome-ignore lint/suspicious/noExplicitAny: the stores have different tables
  readonly [DATABASE]: Kysely<any>
  readonly driver: Driver
  readonly schema: string
  close(): Promise<void>
}

/** A kind of database to test on. For tests only. */
export interface Kind {
  readonly name: 'PGlite' | 'PostgreSQL' | 'Citus'
  /** Returns the location of an empty schema. */
  readonly empty: () => Promise<DriverOptions & { readonly schema?: string }>
  /**
   * Returns the location of a store's schema, for another store. PGlite has only one connection, so there is none.
   */
  readonly locate: (store: TestStore) => Promise<(DriverOptions & { readonly schema: string }) | undefined>
  /** Registers a store to be closed after the test that opened it, or after all tests. */
  readonly track: <S extends TestStore>(store: S) => S
  /** Opens a driver without tables, which is closed after the test. */
  readonly driver: () => Promise<Driver>
}

/**
 * Describes the same tests on each kind of database: PGlite in memory, and PostgreSQL at
 * `FIRN_TEST_DATABASE_URL` or started from programs on the path, and Citus at `FIRN_CITUS_URL`. If a database is missing, its tests are
 * skipped with a message. For tests only.
 */
export function eachKind(body: (kind: Kind) => void): void {
  const kind = (name: Kind['name'], empty: Kind['empty'], locate: Kind['locate']): Kind => ({
    name,
    empty,
    locate,
    track: createTracker(),
    async driver() {
      const { schema = 'public', ...options } = await empty()
      const driver = await openDriver(options, schema)
      await driver.control(`create schema if not exists ${schema}`)
      onTestFinished(async () => {
        if (driver.isShared) await driver.control(`drop schema ${schema} cascade`)
        await driver.close()
      })
      return driver
    },
  })
  const server = (name: Kind['name'], url: () => Promise<string>) => {
    const locate = async (schema: string) => ({ url: await url(), connections: 4, schema })
    body(
      kind(
        name,
        () => locate(schemaName()),
        ({ schema }) => locate(schema),
      ),
    )
  }
  describe('PGlite', () => {
    body(
      kind(
        'PGlite',
        async () => ({ pglite: await borrowPGlite() }),
        async () => undefined,
      ),
    )
  })
  const reason = postgres.missing()
  if (reason !== undefined) process.stderr.write(`skipping the tests on PostgreSQL: ${reason}\n`)
  describe.skipIf(reason !== undefined)('PostgreSQL', { tags: ['postgres'] }, () =>
    server('PostgreSQL', postgres.url),
  )
  if (CITUS_URL === '') return
  describe('Citus', { tags: ['citus'] }, () => server('Citus', async () => CITUS_URL))
}

let schemas = 0

function schemaName(): string {
  return `test_${process.pid}_${Date.now().toString(36)}_${schemas++}`
}

/**
 * Returns a function that registers a store to be closed after the current test. Outside of a test, the store
 * is closed after all tests.
 */
function createTracker(): Kind['track'] {
  const stores: TestStore[] = []
  afterAll(() => Promise.all(stores.map(close)))
  return (store) => {
    try {
      onTestFinished(() => close(store))
    } catch {
      stores.push(store)
    }
    return store
  }
}

/** Closes a store. If the database outlives the test, the store's schema is dropped. */
async function close(store: TestStore): Promise<void> {
  if (store.driver.isShared)
    await store[DATABASE].schema.dropSchema(store.schema).ifExists().cascade().execute()
  await store.close()
}
