import { FirnError } from '@firn/codec'

/**
 * Reason of a {@link StoreError}, from the caller's point of view:
 * - `STORE_FENCED`: another process has become the writer of the schema. Nothing of the batch is stored.
 * - `STORE_CURSOR`: the batch doesn't continue the stored chain. Nothing of the batch is stored.
 * - `STORE_BLOCK`: the block can't be stored. A number is too large for its column, the time is before the parent's
 * time, or the traces are missing although the chain stores them. Nothing of the batch is stored.
 * - `STORE_UNAVAILABLE`: the database can't be reached, closed the connection, or is out of space. A commit
 * may have been stored completely or not at all; reopen the writer to find out.
 * - `STORE_TIMEOUT`: a statement exceeded the store's statement timeout and was cancelled.
 * - `STORE_IN_USE`: the database folder is already open in this or another process. `details.pid` is the id of that
 * process, if it responds.
 * - `STORE_NETWORK`: the database holds another network or EVM chain than the given one.
 * - `STORE_UPGRADES`: the stored blocks were applied with other upgrade times than the given ones. `details.upgrade`
 * - `STORE_C_CHAIN`: the database was filled with the C-chain and is opened without it, or the reverse.
 * `details.followsCChain` is what the database was filled with.
 * - `STORE_X_CHAIN`: as `STORE_C_CHAIN`, for the X-chain.
 * - `STORE_EMPTY`: no network or EVM chain is stored in the database yet.
 * - `STORE_NETWORKS`: the database holds several networks, so the caller must name one. `details.networkIds`
 * lists them.
 * - `STORE_HALTED`: the EVM chain is not served, because the stored blocks differ from the chain of its nodes. The
 * message contains the reason.
 * - `STORE_PRUNED`: the requested changes of an EVM chain were removed. `details.oldest` is the sequence number after which
 * all changes are kept.
 * - `STORE_UNINDEXED`: the EVM chain is not served, because it is being filled without the indexes that requests need.
 * - `STORE_READ_ONLY`: the server rejects writes, because it is a standby or the connection is read-only.
 * - `STORE_SCHEMA`: the schema name is invalid, or another version of this package created the tables.
 * - `STORE_SNAPSHOT`: the snapshot file is damaged, has another format or another digest than expected, or the database
 * cannot be exported yet. Nothing is stored.
 * - `STORE_CITUS`: the server is not the coordinator of a Citus cluster.
 * - `STORE_CORRUPT`: a stored row is invalid or missing.
 * - `STORE_QUERY`: the database rejected a statement.
 */
export type StoreErrorCode =
  | 'STORE_FENCED'
  | 'STORE_CURSOR'
  | 'STORE_BLOCK'
  | 'STORE_UNAVAILABLE'
  | 'STORE_TIMEOUT'
  | 'STORE_IN_USE'
  | 'STORE_NETWORK'
  | 'STORE_UPGRADES'
  | 'STORE_C_CHAIN'
  | 'STORE_X_CHAIN'
  | 'STORE_EMPTY'
  | 'STORE_NETWORKS'
  | 'STORE_HALTED'
  | 'STORE_PRUNED'
  | 'STORE_UNINDEXED'
  | 'STORE_READ_ONLY'
  | 'STORE_SCHEMA'
  | 'STORE_SNAPSHOT'
  | 'STORE_CITUS'
  | 'STORE_CORRUPT'
  | 'STORE_QUERY'

/** The error that this package throws. */
export class StoreError extends FirnError<StoreErrorCode> {
  override readonly name = 'StoreError'
}
