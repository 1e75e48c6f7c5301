import { UsageStore } from '../usage/UsageStore.ts'
import { borrowPGlite } from './pglite.ts'

/** The tables of usage in a PGlite in memory, with nothing in them. For tests only. */
export async function openUsage(): Promise<UsageStore> {
  const store = await UsageStore.open({ pglite: await borrowPGlite() })
  await store.migrate()
  return store
}
