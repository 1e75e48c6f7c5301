import { FirnError } from '@firn/codec'

/**
 * Why indexing stops, or a block or an answer is not taken:
 * - `INDEXER_CONFIGURATION`: flags that don't go together, or a value that can't be
 * - `INDEXER_GENESIS`: no genesis to begin with, or another than the network's, the archive's or the database's
 * - `INDEXER_ARCHIVE`: a file of an archive is missing, or a line is not what it should be; `details.path`, `details.line`
 * - `INDEXER_BLOCK`: a block that doesn't follow, or isn't what its source says; `details.chain`, `details.height`, `details.reason`
 * - `INDEXER_SOURCE`: a source has no usable answer now
 * - `INDEXER_NO_RAW_BLOCKS`: a node serves neither the Index API nor raw blocks of the C-chain
 * - `INDEXER_FENCED`: another process writes to this database now
 * - `INDEXER_ARCHIVE_EXISTS`: the folder to write an archive to has one already, of other blocks
 */
export type IndexerErrorCode =
  | 'INDEXER_CONFIGURATION'
  | 'INDEXER_GENESIS'
  | 'INDEXER_ARCHIVE'
  | 'INDEXER_BLOCK'
  | 'INDEXER_SOURCE'
  | 'INDEXER_NO_RAW_BLOCKS'
  | 'INDEXER_FENCED'
  | 'INDEXER_ARCHIVE_EXISTS'

/** The one error class of this service. */
export class IndexerError extends FirnError<IndexerErrorCode> {
  override readonly name = 'IndexerError'
}
