import { fetchRows } from '@firn/sql'
import { digestAt } from './internal/digestAt.ts'
import type { Snapshot } from './Snapshot.ts'
import type { Store } from './Store.ts'

/**
 * Returns the SHA-256 (32 bytes) of the network's description and of all ledger tables as of the snapshot `at`, with
 * rows in the order of their keys. The default is the newest snapshot. Databases with the same history have the same
 * digest, regardless of how the blocks were written. The digest covers neither the times at which a node accepted
 * blocks nor the fence of the writer.
 * @throws StoreError `STORE_EMPTY`, `STORE_UNAVAILABLE`
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { StateDigest, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * console.log(Hex.encode(await StateDigest.of(store, at)))
 * ```
 */
export async function of(store: Store, at?: Snapshot): Promise<Uint8Array> {
  return digestAt((statement) => fetchRows(store, statement), at ?? (await store.snapshot()))
}
