import { UsageStore } from '../usage/UsageStore.ts'
import { borrowPGlite } from './pglite.ts'

/** Opens empty usage tables in a PGlite database in memory. For tests only. */
export async function openUsage(): Promise<UsageStore> {
  const store = await UsageStore.open({ pglite: await borrowPGlite() })
  await store.migrate()
  return store
}
