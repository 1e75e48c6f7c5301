import { sql } from 'kysely'
import * as RecordCodec from '../RecordCodec.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'
import { StoreError } from '../StoreError.ts'

/** Nanoseconds of a second. */
const SECOND = 1_000_000_000n

/**
 * Fees, gas and time of the P-chain after its last block.
 * @throws StoreError `STORE_CORRUPT`
 */
export async function platform(store: Store, at: Snapshot): Promise<RecordCodec.PlatformState> {
  const row = await store.db
    .selectFrom('block')
    .select('state')
    .where('chain', '=', 'P')
    .where('height', '=', at.P.height)
    .executeTakeFirst()
  if (row?.state == null) {
    throw new StoreError('STORE_CORRUPT', `expected a P-chain block with its state at height ${at.P.height}`)
  }
  return RecordCodec.platformState.decode(row.state)
}

/** Which of the last blocks count as recent. */
export interface Recent {
  /** Nanoseconds since 1970 after which they were accepted; where that isn't known their own time stands in for it. */
  readonly after: bigint
  /** The most that are looked at. */
  readonly limit: number
}

/** The height of the oldest recent block of the P-chain; undefined while there is none. Block 0 is never recent. */
export async function oldestRecent(
  store: Store,
  at: Snapshot,
  { after, limit }: Recent,
): Promise<bigint | undefined> {
  const top = at.P.height
  const below = top - BigInt(limit)
  const { height } = await store.db
    .selectFrom('block')
    .select(sql<bigint | null>`min(height)`.as('height'))
    .where('chain', '=', 'P')
    .where('height', '<=', top)
    .where('height', '>', below > 0n ? below : 0n)
    .where(sql<boolean>`coalesce(accepted_at, time * ${SECOND}) >= ${after}`)
    .executeTakeFirstOrThrow()
  return height ?? undefined
}
