import { afterAll, describe } from 'vitest'
import { EvmStore } from '../evm/EvmStore.ts'
import { type Options, Store } from '../Store.ts'
import { openEvm, TEST_CHAIN } from './evm.ts'
import { openPGlite } from './pglite.ts'
import * as postgres from './postgres.ts'

/** A kind of database to test on. For tests only. */
export interface Kind {
  readonly name: 'PGlite' | 'PostgreSQL'
  /** A store in an empty database of its own, with the tables made; it is closed after the tests. */
  readonly open: () => Promise<Store>
  /** One more store on the same database: on PGlite, which has one connection, the same. */
  readonly again: (store: Store) => Promise<Store>
  /** The same for the tables of an EVM chain, that of `TEST_CHAIN`. */
  readonly openEvm: () => Promise<EvmStore>
  readonly againEvm: (store: EvmStore) => Promise<EvmStore>
}

/**
 * Describes the same tests on each kind of database: PGlite in memory, and PostgreSQL at `FIRN_TEST_DATABASE_URL` or of the
 * programs on the path. What is missing is skipped, and told. For tests only.
 */
export function eachDatabase(body: (kind: Kind) => void): void {
  describe('PGlite', () => {
    const stores: (Store | EvmStore)[] = []
    afterAll(() => closeAll(stores))
    body({
      name: 'PGlite',
      async open() {
        const store = await openPGlite()
        stores.push(store)
        await store.migrate()
        return store
      },
      again: async (store) => store,
      async openEvm() {
        const store = await openEvm()
        stores.push(store)
        return store
      },
      againEvm: async (store) => store,
    })
  })
  const reason = postgres.missing()
  if (reason !== undefined) process.stderr.write(`no tests on PostgreSQL: ${reason}\n`)
  describe.skipIf(reason !== undefined)('PostgreSQL', () => {
    const stores: (Store | EvmStore)[] = []
    afterAll(() => closeAll(stores))
    const connect = async (options: Options) => {
      const store = await Store.open({ url: await postgres.url(), connections: 4, ...options })
      stores.push(store)
      return store
    }
    const connectEvm = async (schema: string) => {
      const { chainId } = TEST_CHAIN
      const store = await EvmStore.open({ url: await postgres.url(), connections: 4, chainId, schema })
      stores.push(store)
      return store
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

/** Closes stores, and leaves no schema behind in a database that isn't ours. */
async function closeAll(stores: readonly (Store | EvmStore)[]): Promise<void> {
  for (const store of stores) {
    if (store.driver.isShared) await store.db.schema.dropSchema(store.schema).ifExists().cascade().execute()
    await store.close()
  }
}
