import { afterAll, describe, onTestFinished } from 'vitest'
import { EvmStore } from '../evm/EvmStore.ts'
import { DATABASE } from '../internal/database.ts'
import { type Options, Store } from '../Store.ts'
import { openEvm, TEST_CHAIN } from './evm.ts'
import { openPGlite } from './pglite.ts'
import * as postgres from './postgres.ts'

/** A kind of database to test on. For tests only. */
export interface Kind {
  readonly name: 'PGlite' | 'PostgreSQL'
  /**
   * Opens a store in an empty database, with its tables. It is closed after the test that opened it, or after
   * all tests.
   */
  readonly open: () => Promise<Store>
  /**
   * Opens another store on the same database; on PGlite, which has one connection, returns the same store.
   */
  readonly again: (store: Store) => Promise<Store>
  /** Like `open` for the tables of the EVM chain `TEST_CHAIN`. */
  readonly openEvm: () => Promise<EvmStore>
  readonly againEvm: (store: EvmStore) => Promise<EvmStore>
}

/**
 * Describes the same tests on each kind of database: PGlite in memory, and PostgreSQL at
 * `FIRN_TEST_DATABASE_URL` or from programs on the path. A missing database is skipped with a message. For
 * tests only.
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
        return track(await openEvm())
      },
      againEvm: async (store) => store,
    })
  })
  const reason = postgres.missing()
  if (reason !== undefined) process.stderr.write(`no tests on PostgreSQL: ${reason}\n`)
  describe.skipIf(reason !== undefined)('PostgreSQL', { tags: ['postgres'] }, () => {
    const track = createTracker()
    const connect = async (options: Options) =>
      track(await Store.open({ url: await postgres.url(), connections: 4, ...options }))
    const connectEvm = async (schema: string) => {
      const { chainId } = TEST_CHAIN
      return track(await EvmStore.open({ url: await postgres.url(), connections: 4, chainId, schema }))
    }
    body({
      name: 'PostgreSQL',
      async open() {
        const store = await connect({ schema: schemaName() })
        await store.migrate()
        return store
      },
      again: ({ schema }) => connect({ schema }),
      async openEvm() {
        const store = await connectEvm(schemaName())
        await store.migrate()
        return store
      },
      againEvm: ({ schema }) => connectEvm(schema),
    })
  })
}

let schemas = 0

function schemaName(): string {
  return `test_${process.pid}_${Date.now().toString(36)}_${schemas++}`
}

/** Returns a function that has a store closed after the current test, or after all tests when called outside of one. */
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

/** Closes a store and drops its schema from a database that outlives the test. */
async function close(store: Store | EvmStore): Promise<void> {
  if (store.driver.isShared)
    await store[DATABASE].schema.dropSchema(store.schema).ifExists().cascade().execute()
  await store.close()
}
