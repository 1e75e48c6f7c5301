import { eachKind, type Kind as SqlKind } from '@firn/sql/testing'
import { Store } from '../Store.ts'

/** A kind of database to test on. For tests only. */
export interface Kind {
  readonly name: SqlKind['name']
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
}

/** Describes the same tests on each kind of database, see `eachKind`. For tests only. */
export function eachDatabase(body: (kind: Kind) => void): void {
  eachKind(({ name, empty, locate, track }) =>
    body({
      name,
      async open() {
        const store = track(await Store.open(await empty()))
        await store.migrate()
        return store
      },
      async again(store) {
        const options = await locate(store)
        return options === undefined ? store : track(await Store.open(options))
      },
    }),
  )
}
