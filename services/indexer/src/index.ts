/**
 * Indexes the blocks of a node or an archive into a store, checks that a database is complete, and writes
 * archives.
 *
 * @packageDocumentation
 */
export * as Archive from './Archive.ts'
export { createArchiveSource } from './ArchiveSource.ts'
export { type ArchiveOptions, writeArchive } from './ArchiveWriter.ts'
export * as Database from './command/Database.ts'
export * as ChainDetails from './command/evm/ChainDetails.ts'
export * as ChainOptions from './command/evm/ChainOptions.ts'
export * as Chains from './command/evm/Chains.ts'
export * as EvmIndexing from './command/evm/EvmIndexing.ts'
export * as EvmReset from './command/evm/EvmReset.ts'
export type { Keep } from './command/evm/Keep.ts'
export * as Index from './command/Index.ts'
export * as IndexingOptions from './command/IndexingOptions.ts'
export * as Sources from './command/Sources.ts'
export * as DecodedBlock from './DecodedBlock.ts'
export * as Doctor from './Doctor.ts'
export * as Against from './doctor/Against.ts'
export { createReference, type Reference, type ReferenceOptions } from './doctor/Reference.ts'
export * as AbiText from './evm/AbiText.ts'
export { type ContractReader, createContractReader } from './evm/ContractReader.ts'
export type { EvmChainStatus } from './evm/EvmChainStatus.ts'
export {
  createEvmIndexer,
  type EvmChainOptions,
  type EvmIndexer,
  type EvmIndexerOptions,
} from './evm/EvmIndexer.ts'
export { createJsonRpc, type JsonRpc, type JsonRpcOptions } from './evm/JsonRpc.ts'
export { readChainId } from './evm/readChainId.ts'
export * as GenesisFiles from './GenesisFiles.ts'
export {
  type ChainStatus,
  createIndexer,
  type Indexer,
  type IndexerOptions,
  type IndexerStatus,
} from './Indexer.ts'
export { IndexerError, type IndexerErrorCode } from './IndexerError.ts'
export {
  createImageWorker,
  FETCH_POLICY,
  type ImageWorker,
  type ImageWorkerOptions,
} from './images/ImageWorker.ts'
export { type ImageFailure, read as readImage } from './images/read.ts'
export { seeded } from './internal/seeded.ts'
export {
  createMonitor,
  createMonitorApp,
  type Health,
  health,
  type Monitor,
  type Monitored,
  type MonitorOptions,
  ofChains,
  ofNetwork,
  sourceFacts,
} from './Monitor.ts'
export { type Failure, STATUS_OF } from './metadata/Failure.ts'
export * as TokenMetadata from './metadata/Metadata.ts'
export {
  createMetadataWorker,
  type MetadataWorker,
  type MetadataWorkerOptions,
} from './metadata/MetadataWorker.ts'
export * as TokenUri from './metadata/TokenUri.ts'
export {
  type CallContracts,
  createUriReader,
  type ReadUris,
  type UriAnswer,
} from './metadata/TokenUriReader.ts'
export * as NetworkPeers from './NetworkPeers.ts'
export { createNodeSource, type NodeSourceOptions } from './NodeSource.ts'
export { type Beacon, createPeerSource, type PeerSourceOptions } from './PeerSource.ts'
export { phaseOf } from './Phase.ts'
export * as Progress from './Progress.ts'
export {
  createSource,
  loadNetwork,
  type NetworkDatabase,
  type NetworkOptions,
  openNetwork,
  readNetworkId,
  type SourceOptions,
} from './Setup.ts'
export * as Source from './Source.ts'
export * as StakingRules from './StakingRules.ts'
export { createStoreSource } from './StoreSource.ts'
export { createUpstreamSource, type UpstreamSourceOptions } from './UpstreamSource.ts'
