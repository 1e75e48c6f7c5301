import { FirnError } from '@firn/codec'

/**
 * Codes of {@link IndexerError}, which say why indexing stops or why a block or an answer is rejected:
 * - `INDEXER_CONFIGURATION`: conflicting flags or an invalid value
 * - `INDEXER_GENESIS`: no genesis is available, or it does not match the network, the archive or the database
 * - `INDEXER_UPGRADES`: the upgrade file, the node and this software have different upgrade times
 * - `INDEXER_ARCHIVE`: a file of an archive is missing or a line is malformed; `details.origin`, or
 * `details.path` and `details.line`
 * - `INDEXER_BLOCK`: a block does not follow the previous one, or does not match what its source says;
 * `details.chain`, `details.height`, `details.reason`
 * - `INDEXER_UNSUPPORTED`: a block has a type, a codec version or contents of a network upgrade that this version of
 * Firn does not know; details as for `INDEXER_BLOCK`
 * - `INDEXER_SOURCE`: a source has no usable answer at present
 * - `INDEXER_STANDBY`: this process does not index now, so it has no current state
 * - `INDEXER_INTERRUPTED`: a signal arrived before the work was done
 * - `INDEXER_NO_RAW_BLOCKS`: a node serves neither the Index API nor raw blocks of the C-chain
 * - `INDEXER_NO_VERTICES`: a source does not have the X-chain's vertices from before its block 1
 * - `INDEXER_ARCHIVE_EXISTS`: the target folder already holds an archive with another genesis
 * - `INDEXER_RPC_REFUSED`: a node answered with an error; `details.rpcCode`, `details.rpcMessage`, or
 * `details.status` for HTTP
 * - `INDEXER_RPC_LIMITED`: a node limits the request rate; `details.retryAfterMs` if it says when to retry
 * - `INDEXER_RPC_TOO_LARGE`: the request or its answer exceeds the size limit of the node or the indexer
 * - `INDEXER_RPC_UNAVAILABLE`: no connection, a broken connection, or an HTTP 5xx status
 * - `INDEXER_RPC_MALFORMED`: the response does not answer the request
 * - `INDEXER_RPC_TIMEOUT`: no answer in time
 * - `INDEXER_ABSENT`: a node does not have, or does not have yet, something that another node reports
 * - `INDEXER_CHAIN`: a node serves another chain; `details.expected`, `details.actual`
 * - `INDEXER_RESET`: a node's chain has the id of the stored chain, but different blocks from the start;
 * `details.upstream`, `details.height`
 * - `INDEXER_UNTRACED`: a node did not return the traces of a block within the longest time limit, or for as long refused
 * them because they are too large or exceed its own limit
 * - `INDEXER_TRACES`: blocks are stored with traces, but no node serves traces
 * - `INDEXER_REORGANISATION`: a reorg is deeper than the limit; `details.height`, `details.depth`
 */
export type IndexerErrorCode =
  | 'INDEXER_CONFIGURATION'
  | 'INDEXER_GENESIS'
  | 'INDEXER_UPGRADES'
  | 'INDEXER_ARCHIVE'
  | 'INDEXER_BLOCK'
  | 'INDEXER_UNSUPPORTED'
  | 'INDEXER_SOURCE'
  | 'INDEXER_STANDBY'
  | 'INDEXER_INTERRUPTED'
  | 'INDEXER_NO_RAW_BLOCKS'
  | 'INDEXER_NO_VERTICES'
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
  | 'INDEXER_UNTRACED'
  | 'INDEXER_TRACES'
  | 'INDEXER_REORGANISATION'

/** Error class of the indexer. */
export class IndexerError extends FirnError<IndexerErrorCode> {
  override readonly name = 'IndexerError'
}
