import type { Store } from '../Store.ts'
import { Writer } from '../Writer.ts'
import { openPGlite } from './pglite.ts'
import { follow, load, type Name } from './recordings.ts'

const STORES = new Map<Name, Promise<Store>>()

/**
 * Returns a store in memory filled with a recorded network: its P-, X- and C-chain. The store is shared
 * within a process (a test file), so don't write to it or close it. For tests only.
 */
export function recordedStore(name: Name): Promise<Store> {
  const known = STORES.get(name)
  if (known !== undefined) return known
  const store = fill(name)
  STORES.set(name, store)
  return store
}

async function fill(name: Name): Promise<Store> {
  const { genesis, constants, chains } = load(name)
  const store = await openPGlite()
  await store.migrate()
  const { writer, state } = await Writer.open(store, genesis, constants)
  await writer.commit([...follow(state, chains)])
  return store
}
