/**
 * Indexes the blocks of a node or an archive into a store, checks that a database is complete, and writes
 * archives.
 *
 * @packageDocumentation
 */

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
export { IndexerError, type IndexerErrorCode } from './common/IndexerError.ts'
export { seeded } from './common/seeded.ts'
export * as AbiText from './evm/contracts/AbiText.ts'
export { type ContractReader, createContractReader } from './evm/contracts/ContractReader.ts'
export type { EvmChainStatus } from './evm/EvmChainStatus.ts'
export { createEvmIndexer, type EvmIndexer } from './evm/EvmIndexer.ts'
export type { EvmChainOptions, EvmIndexerOptions } from './evm/EvmIndexerOptions.ts'
export { createJsonRpc, type JsonRpc, type JsonRpcOptions } from './evm/upstream/JsonRpc.ts'
export { readChainId } from './evm/upstream/readChainId.ts'
export {
  createImageWorker,
  FETCH_POLICY,
  type ImageWorker,
  type ImageWorkerOptions,
} from './images/ImageWorker.ts'
export { type ImageFailure, read as readImage } from './images/read.ts'
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
} from './monitor/Monitor.ts'
export * as Progress from './monitor/Progress.ts'
export * as Archive from './primary/archive/Archive.ts'
export { createArchiveSource } from './primary/archive/ArchiveSource.ts'
export { type ArchiveOptions, writeArchive } from './primary/archive/ArchiveWriter.ts'
export * as GenesisFiles from './primary/archive/GenesisFiles.ts'
export * as DecodedBlock from './primary/DecodedBlock.ts'
export * as Against from './primary/doctor/Against.ts'
export * as Doctor from './primary/doctor/Doctor.ts'
export { createReference, type Reference, type ReferenceOptions } from './primary/doctor/Reference.ts'
export {
  createIndexer,
  type Indexer,
  type IndexerOptions,
} from './primary/Indexer.ts'
export { createNodeSource, type NodeSourceOptions } from './primary/node/NodeSource.ts'
export { createUpstreamSource, type UpstreamSourceOptions } from './primary/node/UpstreamSource.ts'
export { phaseOf } from './primary/Phase.ts'
export * as NetworkPeers from './primary/peers/NetworkPeers.ts'
export { type Beacon, createPeerSource, type PeerSourceOptions } from './primary/peers/PeerSource.ts'
export * as Source from './primary/Source.ts'
export type { ChainStatus, IndexerStatus } from './primary/Status.ts'
export { createStoreSource } from './primary/StoreSource.ts'
export {
  createSource,
  loadNetwork,
  type NetworkDatabase,
  type NetworkOptions,
  openNetwork,
  readNetworkId,
  type SourceOptions,
} from './primary/setup/Setup.ts'
export * as StakingRules from './primary/setup/StakingRules.ts'
