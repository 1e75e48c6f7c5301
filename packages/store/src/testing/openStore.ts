import { emptyDatabase } from '@firn/sql/testing'
import { Store } from '../Store.ts'

/** Opens a store with empty tables in a database from {@link emptyDatabase}. For tests only. */
export async function openStore(): Promise<Store> {
  const store = await Store.open(await emptyDatabase())
  await store.migrate()
  return store
}
