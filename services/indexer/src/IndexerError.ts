import { FirnError } from '@firn/codec'

/**
 * Why indexing stops, or a block or an answer is not taken:
 * - `INDEXER_CONFIGURATION`: flags that don't go together, or a value that can't be
 * - `INDEXER_GENESIS`: no genesis to begin with, or another than the network's, the archive's or the database's
 * - `INDEXER_ARCHIVE`: a file of an archive is missing, or a line is not what it should be; `details.path`, `details.line`
 * - `INDEXER_BLOCK`: a block that doesn't follow, or isn't what its source says; `details.chain`, `details.height`, `details.reason`
 * - `INDEXER_SOURCE`: a source has no usable answer now
 * - `INDEXER_NO_RAW_BLOCKS`: a node serves neither the Index API nor raw blocks of the C-chain
 * - `INDEXER_ARCHIVE_EXISTS`: the folder to write an archive to has one already, of other blocks
 * - `INDEXER_RPC_REFUSED`: a node answered with an error; `details.rpcCode`, `details.rpcMessage`, or `details.status` of HTTP
 * - `INDEXER_RPC_LIMITED`: a node wants to be asked less often; `details.retryAfterMs` where it says when
 * - `INDEXER_RPC_TOO_LARGE`: more was asked for at once than a node gives, or than is read
 * - `INDEXER_RPC_UNAVAILABLE`: no connection, a broken one, or an HTTP status of the 500s
 * - `INDEXER_RPC_MALFORMED`: what came is no answer to what was asked
 * - `INDEXER_RPC_TIMEOUT`: no answer in time
 * - `INDEXER_ABSENT`: a node doesn't have, or doesn't have yet, what another says there is
 * - `INDEXER_CHAIN`: a node of another chain; `details.expected`, `details.actual`
 * - `INDEXER_RESET`: a node has another chain of the same id than the one stored; `details.upstream`, `details.height`
 * - `INDEXER_TRACES`: blocks are stored with traces, and no node gives any
 * - `INDEXER_REORGANISATION`: the chain was rewritten deeper than may be undone; `details.height`, `details.depth`
 */
export type IndexerErrorCode =
  | 'INDEXER_CONFIGURATION'
  | 'INDEXER_GENESIS'
  | 'INDEXER_ARCHIVE'
  | 'INDEXER_BLOCK'
  | 'INDEXER_SOURCE'
  | 'INDEXER_NO_RAW_BLOCKS'
  | 'INDEXER_ARCHIVE_EXISTS'
  | 'INDEXER_RPC_REFUSED'
  | 'INDEXER_RPC_LIMITED'
  | 'INDEXER_RPC_TOO_LARGE'
  | 'INDEXER_RPC_UNAVAILABLE'
  | 'INDEXER_RPC_MALFORMED'
  | 'INDEXER_RPC_TIMEOUT'
  | 'INDEXER_ABSENT'
  | 'INDEXER_CHAIN'
  | 'INDEXER_RESET'
  | 'INDEXER_TRACES'
  | 'INDEXER_REORGANISATION'

/** The one error class of this service. */
export class IndexerError extends FirnError<IndexerErrorCode> {
  override readonly name = 'IndexerError'
}
