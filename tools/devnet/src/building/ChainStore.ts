import { type Accepted, Store, Writer } from '@firn/store'
import type { NetworkRules } from '../recorded/RecordedNetwork.ts'
import type { BuiltBlock } from './BlockBuilder.ts'

/** The built blocks in an in-memory database, from which the node's APIs answer. */
export interface ChainStore {
  /** Adds an accepted block. */
  add(built: BuiltBlock): void
  /** Opens the database on the first call, and stores all blocks that were added before the call. */
  open(): Promise<Store>
  close(): Promise<void>
}

/** Maximum number of blocks that one transaction stores. */
const BATCH = 256

/** Creates a store. Its database takes a second and some memory, so it is not opened before it is needed. */
export function createChainStore({ genesis, constants }: NetworkRules): ChainStore {
  const waiting: Accepted[] = []
  let opening: Promise<{ readonly store: Store; readonly writer: Writer }> | undefined
  let writing: Promise<void> = Promise.resolve()
  return {
    add({ chain, block, parentId, changes }) {
      const { id, bytes, inner, acceptedAt } = block
      waiting.push({ chain, bytes: inner, parentId, container: { id, bytes, acceptedAt }, changes })
    },
    async open() {
      opening ??= start()
      const { store, writer } = await opening
      writing = writing.then(() => write(writer))
      await writing
      return store
    },
    async close() {
      const opened = await opening?.catch(() => undefined)
      await writing.catch(() => undefined)
      await opened?.store.close()
    },
  }

  async function start() {
    const store = await Store.open({ networkId: genesis.networkId })
    await store.migrate()
    const { writer } = await Writer.resume(store, genesis, constants)
    return { store, writer }
  }

  async function write(writer: Writer): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH)
      await writer.commit(batch)
      waiting.splice(0, batch.length)
    }
  }
}
