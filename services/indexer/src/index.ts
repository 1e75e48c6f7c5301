/**
 * Follows a node, or reads an archive, into the store; proves that nothing is missing, and writes archives.
 *
 * @packageDocumentation
 */
export * as Clock from './Clock.ts'
export {
  type ChainStatus,
  createIndexer,
  type Indexer,
  type IndexerOptions,
  type IndexerStatus,
} from './Indexer.ts'
export { IndexerError, type IndexerErrorCode } from './IndexerError.ts'
export * as Logger from './Logger.ts'
export * as Source from './Source.ts'
