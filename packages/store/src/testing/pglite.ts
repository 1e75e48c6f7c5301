import { borrowPGlite } from '@firn/sql/testing'
import { Store } from '../Store.ts'

/** Opens a store without tables in an empty PGlite database in memory. For tests only. */
export async function openPGlite(now?: () => number): Promise<Store> {
  return Store.open({ pglite: await borrowPGlite(), now })
}
