import { FirnError } from '@firn/codec'

/**
 * What went wrong with the database, from the caller's point of view:
 * - `STORE_FENCED`: another process writes to the same schema since; nothing of the batch is stored.
 * - `STORE_CURSOR`: a batch doesn't continue where the stored chain ends; nothing of it is stored.
 * - `STORE_BLOCK`: a block can't be stored as it is: a number is too large for its column, or a chain whose blocks come with traces
 *   has one without; nothing of the batch is stored.
 * - `STORE_UNAVAILABLE`: the database can't be reached, went away, or is out of space. Of a commit either all or nothing is
 *   stored: opening the writer again tells.
 * - `STORE_TIMEOUT`: a statement took longer than the store's options let it, and was ended.
 * - `STORE_IN_USE`: PGlite's folder is open already, in this process or in another one; `details.pid` where that answers.
 * - `STORE_NETWORK`: the database holds another network, genesis or rules than those given.
 * - `STORE_EMPTY`: there is no network in the database yet.
 * - `STORE_NETWORKS`: the database holds several networks where one of them has to be named; `details.networkIds`.
 * - `STORE_HALTED`: nothing of an EVM chain is served, as its nodes have another chain than the one stored; the message says why.
 * - `STORE_READ_ONLY`: the server takes no writes, as a standby or a read-only role does.
 * - `STORE_SCHEMA`: the schema's name can't be one, or its tables are of a later version of this package.
 * - `STORE_CORRUPT`: a row says what it can't say.
 * - `STORE_QUERY`: the database refused a statement.
 */
export type StoreErrorCode =
  | 'STORE_FENCED'
  | 'STORE_CURSOR'
  | 'STORE_BLOCK'
  | 'STORE_UNAVAILABLE'
  | 'STORE_TIMEOUT'
  | 'STORE_IN_USE'
  | 'STORE_NETWORK'
  | 'STORE_EMPTY'
  | 'STORE_NETWORKS'
  | 'STORE_HALTED'
  | 'STORE_READ_ONLY'
  | 'STORE_SCHEMA'
  | 'STORE_CORRUPT'
  | 'STORE_QUERY'

/** The error class of this package. */
export class StoreError extends FirnError<StoreErrorCode> {
  override readonly name = 'StoreError'
}
