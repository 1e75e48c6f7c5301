import { eachKind, type Kind as SqlKind } from '@firn/sql/testing'
import { EvmStore } from '../EvmStore.ts'
import { createTables } from './citus.ts'
import { TEST_CHAIN } from './evm.ts'

/** A kind of database to test on. For tests only. */
export interface Kind {
  readonly name: SqlKind['name']
  /**
   * Opens a store of `TEST_CHAIN` in an empty database and creates its tables, sharded on Citus. The store is closed
   * after the test that opened it, or after all tests.
   */
  readonly openEvm: () => Promise<EvmStore>
  /**
   * Opens another store on the same database. PGlite has only one connection, so the same store is returned
   * there.
   */
  readonly againEvm: (store: EvmStore) => Promise<EvmStore>
}

/** Describes the same tests on each kind of database, see `eachKind`. For tests only. */
export function eachDatabase(body: (kind: Kind) => void): void {
  const { chainId } = TEST_CHAIN
  eachKind(({ name, empty, locate, track }) =>
    body({
      name,
      async openEvm() {
        const store = track(await EvmStore.open({ ...(await empty()), chainId }))
        await createTables(store, name === 'Citus')
        return store
      },
      async againEvm(store) {
        const options = await locate(store)
        return options === undefined ? store : track(await EvmStore.open({ ...options, chainId }))
      },
    }),
  )
}
