import { Store } from '@firn/store'
import { openPGlite, TestPostgres } from '@firn/store/testing'

let schemas = 0

/**
 * Opens an empty store with its tables. Uses PostgreSQL if it is available, because it is faster than PGlite. The caller
 * closes the store. For tests only.
 */
export async function openStore(): Promise<Store> {
  const store = TestPostgres.missing() === undefined ? await onPostgres() : await openPGlite()
  await store.migrate()
  return store
}

async function onPostgres(): Promise<Store> {
  schemas += 1
  const schema = `indexer_test_${process.pid}_${schemas}`
  return Store.open({ url: await TestPostgres.url(), schema, connections: 3 })
}
