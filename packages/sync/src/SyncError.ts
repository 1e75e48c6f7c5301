import { FirnError } from '@firn/codec'

/**
 * - `SYNC_OPTION`: an option is invalid; `details.field` names it.
 * - `SYNC_ROOT`: the accepted chain does not contain the root block: the genesis, or the block from which
 *   {@link follow} continues. Either this is another network, or a majority of the weight accepted two forks.
 *   `details` holds `height`, `expected` and `actual` (ids in cb58).
 * - `SYNC_UNREADABLE`: a block has the id that was asked for, but its type or version is unknown. Upgrade Firn.
 *   `details.id` is its id in cb58, `cause` the decoder's error.
 * - `SYNC_HEIGHT`: an accepted block does not have the height after its parent's, or a vertex not the height
 *   after its highest parent's. `details.id` is its id in cb58.
 * - `SYNC_STORE`: the store does not return a block of one of its own intervals.
 */
export type SyncErrorCode = 'SYNC_OPTION' | 'SYNC_ROOT' | 'SYNC_UNREADABLE' | 'SYNC_HEIGHT' | 'SYNC_STORE'

/**
 * The error that the functions of this package throw, except for the reason of an abort and errors of the store. Its
 * `code` identifies the cause.
 */
export class SyncError extends FirnError<SyncErrorCode> {
  override readonly name = 'SyncError'
}
