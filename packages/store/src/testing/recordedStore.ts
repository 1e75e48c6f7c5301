import { borrowPGlite, emptyDatabase } from '@firn/sql/testing'
import { Store } from '../Store.ts'
import { Writer } from '../Writer.ts'
import { follow, load, type Name } from './recordings.ts'

const STORES = new Map<string, Promise<Store>>()

/**
 * Returns a store filled with a recorded network: its P-, X- and C-chain, or without the C-chain if
 * `followsCChain` is false. The network `helicon` is in PGlite, so that services are tested on both databases. The store is shared within a process (a test file), so don't write to it or close it. For
 * tests only.
 */
export function recordedStore(name: Name, followsCChain = true): Promise<Store> {
  const key = `${name} ${followsCChain}`
  const known = STORES.get(key)
  if (known !== undefined) return known
  const store = fill(name, followsCChain)
  STORES.set(key, store)
  return store
}

async function fill(name: Name, followsCChain: boolean): Promise<Store> {
  const { genesis, constants, chains } = load(name)
  const store = await Store.open(
    name === 'helicon' ? { pglite: await borrowPGlite() } : await emptyDatabase(),
  )
  await store.migrate()
  const { writer, state } = await Writer.open(store, genesis, constants, undefined, { followsCChain })
  await writer.commit([...follow(state, followsCChain ? chains : { P: chains.P, X: chains.X })])
  return store
}
