import { Store } from '../Store.ts'
import { emptyDatabase } from './emptyDatabase.ts'

/** Opens a store with empty tables in a database from {@link emptyDatabase}. For tests only. */
export async function openStore(): Promise<Store> {
  const store = await Store.open(await emptyDatabase())
  await store.migrate()
  return store
}
