import { fetchFirst, StoreError } from '@firn/sql'
import { sql } from 'kysely'
import * as RecordCodec from '../RecordCodec.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'

/** Nanoseconds per second. */
const SECOND = 1_000_000_000n

/**
 * Returns the fees, gas and time of the P-chain after the last block of the snapshot.
 * @throws StoreError `STORE_CORRUPT`
 * @example
 * ```ts
 * import { Blocks, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const state = await Blocks.platformState(store, at)
 * ```
 */
export async function platformState(store: Store, at: Snapshot): Promise<RecordCodec.PlatformState> {
  const row = await fetchFirst(
    store,
    sql<{ state: Uint8Array | null }>`select state from block where chain = 'P' and height = ${at.P.height}`,
  )
  if (row?.state == null) {
    throw new StoreError(
      'STORE_CORRUPT',
      `the P-chain block at height ${at.P.height} is stored without its state`,
    )
  }
  return RecordCodec.platformState.decode(row.state)
}

/** Limits that define which of the last blocks count as recent. */
export interface Recent {
  /**
   * Time in nanoseconds since 1970. Blocks that were accepted at or after this time are recent. If it is unknown when
   * a block was accepted, the time in the block counts.
   */
  readonly after: bigint
  /** Maximum number of blocks to read. */
  readonly limit: number
}

/**
 * Returns the height of the oldest recent P-chain block, or undefined if no block is recent. Block 0 is never
 * recent.
 *
 * @example
 * ```ts
 * import { Blocks, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const height = await Blocks.oldestRecent(store, at, { after: (at.P.time - 60n) * 1_000_000_000n, limit: 100 })
 * ```
 */
export async function oldestRecent(
  store: Store,
  at: Snapshot,
  { after, limit }: Recent,
): Promise<bigint | undefined> {
  const top = at.P.height
  const below = top - BigInt(limit)
  const row = await fetchFirst(
    store,
    sql<{ height: bigint | null }>`select min(height) as height from block
      where chain = 'P' and height <= ${top} and height > ${below > 0n ? below : 0n}
        and coalesce(accepted_at, time * ${SECOND}) >= ${after}`,
  )
  return row?.height ?? undefined
}
