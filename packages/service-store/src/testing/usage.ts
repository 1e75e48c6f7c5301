import { emptyDatabase } from '@firn/sql/testing'
import { UsageStore } from '../usage/UsageStore.ts'

/** Opens empty usage tables in a database from {@link emptyDatabase}. For tests only. */
export async function openUsage(): Promise<UsageStore> {
  const store = await UsageStore.open(await emptyDatabase())
  await store.migrate()
  return store
}
