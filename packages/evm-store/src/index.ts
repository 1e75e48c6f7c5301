/**
 * Storage of EVM chains in SQL, with one schema for each chain, one writer and any number of readers.
 *
 * @packageDocumentation
 */

export * as ChainStores from './ChainStores.ts'
export { DATA_KINDS, type DataKind, type HeightKind, type KindName, type PrunableKind } from './DataKinds.ts'
export { type ChainPlace, distributeEvmChain } from './distributeEvmChain.ts'
export * as EventTables from './EventTables.ts'
export { EVM_NETWORKS, type EvmChain, type EvmNetwork } from './EvmChain.ts'
export * as EvmDoctor from './EvmDoctor.ts'
export type * as EvmSchema from './EvmSchema.ts'
export { TOKEN_CLASSES } from './EvmSchema.ts'
export type { EvmPosition, EvmSnapshot } from './EvmSnapshot.ts'
export { type EvmOptions, EvmStore, evmSchemaOf } from './EvmStore.ts'
export { EvmWriter } from './EvmWriter.ts'
export * as IcmBackfill from './IcmBackfill.ts'
export {
  type DueImage,
  IMAGE_TYPES,
  type Image,
  type ImageOutcome,
  type ImageQueue,
  type ImageType,
  type ImageUsage,
} from './ImageQueue.ts'
export type { IndexedBlock } from './IndexedBlock.ts'
export type { PruneOptions, Retention } from './internal/prune.ts'
export type { CheckResults } from './internal/storeChecks.ts'
export type { LogSelection } from './LogSelection.ts'
export type { Placement } from './Placement.ts'
export * as EvmAirdrops from './queries/Airdrops.ts'
export * as EvmBalanceChecks from './queries/BalanceChecks.ts'
export * as EvmBlockContents from './queries/BlockContents.ts'
export * as EvmBlocks from './queries/Blocks.ts'
export * as EvmBridgers from './queries/Bridgers.ts'
export * as EvmChanges from './queries/Changes.ts'
export * as EvmContracts from './queries/Contracts.ts'
export * as EvmCreations from './queries/Creations.ts'
export * as EvmEvents from './queries/Events.ts'
export * as EvmImages from './queries/Images.ts'
export * as EvmInternalCalls from './queries/InternalCalls.ts'
export * as EvmItemHolders from './queries/ItemHolders.ts'
export * as EvmIcm from './queries/icmNamespace.ts'
export * as EvmLogs from './queries/Logs.ts'
export * as EvmMetrics from './queries/Metrics.ts'
export * as EvmProxies from './queries/Proxies.ts'
export type { Range } from './queries/Range.ts'
export * as EvmRetention from './queries/Retention.ts'
export * as EvmTokenBalances from './queries/TokenBalances.ts'
export * as EvmTokenHolders from './queries/TokenHolders.ts'
export * as EvmTokens from './queries/Tokens.ts'
export * as EvmTraceGaps from './queries/TraceGaps.ts'
export * as EvmTransactionLogs from './queries/TransactionLogs.ts'
export * as EvmTransactions from './queries/Transactions.ts'
export * as EvmTransfers from './queries/Transfers.ts'
export { type RemovedChain, resetEvmChain } from './resetEvmChain.ts'
export { sqlImageQueue } from './SqlImageQueue.ts'
export { sqlTokenQueue } from './SqlTokenQueue.ts'
export * as StoredChains from './StoredChains.ts'
export { type ShardedTable, type ShardOptions, shardEvmChain } from './shardEvmChain.ts'
export {
  type DueToken,
  INDEX_STATUSES,
  type IndexStatus,
  type Metadata,
  type TokenKey,
  type TokenOutcome,
  type TokenQueue,
} from './TokenQueue.ts'
