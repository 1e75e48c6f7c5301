import { Bytes, type ChainAlias, Hex, isFirnError } from '@firn/codec'
import { type Snapshot, StateDigest, Store, Vertices } from '@firn/store'
import { createIndexer } from '../Indexer.ts'
import type { Source } from '../Source.ts'
import { createStoreSource, followedOf } from '../StoreSource.ts'

/**
 * Applies every block and vertex of a database again, in a new in-memory database, and compares the digests of both.
 * Returns a description of the problem; undefined if there is none, or if not all vertices of the X-chain are applied.
 */
export async function replayBlocks(
  store: Store,
  expected: Uint8Array,
  signal: AbortSignal,
): Promise<string | undefined> {
  const network = await store.network()
  if (network === undefined) return undefined
  const at = await store.snapshot(signal)
  // While vertices are being applied, the tables change although no height does.
  if (at.X.height === 0n && (await Vertices.extent(store)).vertices > 0) return undefined
  const source = sourceAt(store, at, followedOf(network))
  const fresh = await Store.open({})
  try {
    await fresh.migrate()
    await createIndexer({ store: fresh, source, ...network }).run(signal)
    signal.throwIfAborted()
    const actual = await StateDigest.of(fresh)
    if (Bytes.equals(actual, expected)) return undefined
    return `the tables do not match the blocks: the digest of the tables is ${Hex.encode(expected)}, the digest of the blocks is ${Hex.encode(actual)}`
  } catch (error) {
    if (!isFirnError(error) || signal.aborted) throw error
    return `the blocks cannot be applied again: ${error.message}`
  } finally {
    await fresh.close()
  }
}

/** Returns a source of the blocks that a database has at a snapshot. */
function sourceAt(store: Store, at: Snapshot, chains: readonly ChainAlias[]): Source {
  return {
    ...createStoreSource(store, 'database', chains),
    isFixed: true,
    tip: (chain: ChainAlias) => Promise.resolve(at[chain].height),
  }
}
