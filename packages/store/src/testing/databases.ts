import { afterAll, describe, onTestFinished } from 'vitest'
import { EvmStore } from '../evm/EvmStore.ts'
import { DATABASE } from '../internal/database.ts'
import { type Options, Store } from '../Store.ts'
import { CITUS_URL, createTables } from './citus.ts'
import { openEvm, TEST_CHAIN } from './evm.ts'
import { borrowPGlite, openPGlite } from './pglite.ts'
import * as postgres from './postgres.ts'

/** A kind of database to test on. For tests only. */
export interface Kind {
  readonly name: 'PGlite' | 'PostgreSQL' | 'Citus'
  /**
   * Opens a store in an empty database and creates its tables. The store is closed after the test that opened
   * it, or after all tests.
   */
  readonly open: () => Promise<Store>
  /**
   * Opens another store on the same database. PGlite has only one connection, so the same store is returned
   * there.
   */
  readonly again: (store: Store) => Promise<Store>
  /** Opens the tables of the EVM chain `TEST_CHAIN` in the same way as `open`. */
  readonly openEvm: () => Promise<EvmStore>
  readonly againEvm: (store: EvmStore) => Promise<EvmStore>
}

/**
 * Describes the same tests on each kind of database: PGlite in memory, and PostgreSQL at
 * `FIRN_TEST_DATABASE_URL` or started from programs on the path, and Citus at `FIRN_CITUS_URL`. If a database is missing, its tests are
 * skipped with a message. For tests only.
 */
export function eachDatabase(body: (kind: Kind) => void): void {
  describe('PGlite', () => {
    const track = createTracker()
    body({
      name: 'PGlite',
      async open() {
        const store = track(await openPGlite())
        await store.migrate()
        return store
      },
      again: async (store) => store,
      async openEvm() {
        return track(await openEvm({ pglite: await borrowPGlite() }))
      },
      againEvm: async (store) => store,
    })
  })
  const reason = postgres.missing()
  if (reason !== undefined) process.stderr.write(`skipping the tests on PostgreSQL: ${reason}\n`)
  describe.skipIf(reason !== undefined)('PostgreSQL', { tags: ['postgres'] }, () => {
    body(server('PostgreSQL', postgres.url))
  })
  if (CITUS_URL === '') return
  describe('Citus', { tags: ['citus'] }, () => body(server('Citus', async () => CITUS_URL)))
}

/** Returns the databases of a server. EVM chains on Citus are sharded. */
function server(name: 'PostgreSQL' | 'Citus', url: () => Promise<string>): Kind {
  const track = createTracker()
  const connect = async (options: Options) =>
    track(await Store.open({ url: await url(), connections: 4, ...options }))
  const connectEvm = async (schema: string) => {
    const { chainId } = TEST_CHAIN
    return track(await EvmStore.open({ url: await url(), connections: 4, chainId, schema }))
  }
  return {
    name,
    async open() {
      const store = await connect({ schema: schemaName() })
      await store.migrate()
      return store
    },
    again: ({ schema }) => connect({ schema }),
    async openEvm() {
      const store = await connectEvm(schemaName())
      await createTables(store, name === 'Citus')
      return store
    },
    againEvm: ({ schema }) => connectEvm(schema),
  }
}

let schemas = 0

function schemaName(): string {
  return `test_${process.pid}_${Date.now().toString(36)}_${schemas++}`
}

/**
 * Returns a function that registers a store to be closed after the current test. Outside of a test, the store
 * is closed after all tests.
 */
function createTracker(): <S extends Store | EvmStore>(store: S) => S {
  const stores: (Store | EvmStore)[] = []
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
async function close(store: Store | EvmStore): Promise<void> {
  if (store.driver.isShared)
    await store[DATABASE].schema.dropSchema(store.schema).ifExists().cascade().execute()
  await store.close()
}
