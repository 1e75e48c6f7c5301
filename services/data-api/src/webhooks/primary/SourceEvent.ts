import type { ChainAlias } from '@firn/codec'
import { type Snapshot, Snapshots, type Store } from '@firn/store'
import { DataApiError } from '../../http/endpoint/DataApiError.ts'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import { positionOf } from '../../primary/network/PrimarySnapshots.ts'
import type { Decided } from './decided.ts'

/** An event of a block of the Primary Network that webhooks match. */
export interface SourceEvent {
  /** Height of the block that caused the event. */
  readonly height: bigint
  /** Ids of the webhooks. */
  readonly webhooks: readonly string[]
  /** The transaction that caused the event; undefined if time did. */
  readonly cause: Decided | undefined
  /** The members of the event, without the block and the transaction. */
  readonly members: { readonly [member: string]: Body | undefined }
}

/**
 * Returns a snapshot in which a chain is at an earlier height.
 * @throws DataApiError `DATA_UNAVAILABLE` if the block is not stored
 */
export async function positionedAt(
  store: Store,
  at: Snapshot,
  chain: ChainAlias,
  height: bigint,
): Promise<Snapshot> {
  const position = await positionOf(store, at, chain, height)
  if (position === undefined)
    throw new DataApiError(
      'DATA_UNAVAILABLE',
      `block ${height} of the ${chain}-chain is not stored yet; try again`,
    )
  return Snapshots.create({ ...at, [chain]: position })
}
