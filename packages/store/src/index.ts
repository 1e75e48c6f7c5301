/**
 * Storage of the ledger in SQL, with one schema for each network, one writer and any number of readers.
 * PGlite is the embedded database; PostgreSQL serves larger deployments.
 *
 * @packageDocumentation
 */
export type { Accepted, AcceptedVertices } from './Accepted.ts'
export * as ApiKeys from './ApiKeys.ts'
export * as Assets from './assets/Assets.ts'
export * as Blockchains from './blockchains/Blockchains.ts'
export * as Blocks from './blocks/index.ts'
export * as CheckResults from './CheckResults.ts'
export * as Databases from './Databases.ts'
export * as Derivation from './Derivation.ts'
export {
  type DueToken,
  INDEX_STATUSES,
  type IndexStatus,
  type Metadata,
  type TokenKey,
  type TokenOutcome,
  type TokenQueue,
} from './evm/TokenQueue.ts'
export * as FetchedBlocks from './FetchedBlocks.ts'
export * as FetchedVertices from './FetchedVertices.ts'
export * as StakingRewards from './rewards/StakingRewards.ts'
export type * as Schema from './Schema.ts'
export * as Secrets from './Secrets.ts'
export type { ApiKeyRow, CheckResultRow, SecretRow, ServiceStore, ServiceTables } from './ServiceTables.ts'
export type { Position, Snapshot } from './Snapshot.ts'
export * as Snapshots from './Snapshot.ts'
export * as SnapshotFile from './SnapshotFile.ts'
export * as StateDigest from './StateDigest.ts'
export { type Network, type Options, Store, schemaOf } from './Store.ts'
export * as StoredNetworks from './StoredNetworks.ts'
export * as Stakers from './stakers/index.ts'
export * as Subnets from './subnets/Subnets.ts'
export * as Supplies from './subnets/Supplies.ts'
export * as Transactions from './transactions/index.ts'
export type { ApiClient, ApiRequest } from './usage/ApiRequest.ts'
export { ApiRequests } from './usage/ApiRequests.ts'
export * as ApiUsage from './usage/ApiUsage.ts'
export type { Batch } from './usage/Batch.ts'
export * as BypassTokens from './usage/BypassTokens.ts'
export * as ExportJobs from './usage/ExportJobs.ts'
export * as RequestLog from './usage/RequestLog.ts'
export * as UsageLoads from './usage/UsageLoads.ts'
export * as UsageMetrics from './usage/UsageMetrics.ts'
export type { UsageRequest } from './usage/UsageRequest.ts'
export { type UsageOptions, UsageStore } from './usage/UsageStore.ts'
export { UsageSums } from './usage/UsageSums.ts'
export { UsageWriter, type UsageWriterOptions } from './usage/UsageWriter.ts'
export * as Utxos from './utxos/index.ts'
export * as L1Validators from './validators/L1Validators.ts'
export * as Validators from './validators/Validators.ts'
export * as Vertices from './vertices/Vertices.ts'
export { type OpenResult, Writer, type WriterOptions } from './Writer.ts'
export * as WebhookDeliveries from './webhooks/WebhookDeliveries.ts'
export * as WebhookQueue from './webhooks/WebhookQueue.ts'
export * as WebhookSources from './webhooks/WebhookSources.ts'
export * as Webhooks from './webhooks/Webhooks.ts'
export {
  DELIVERY_STATES,
  type DeliveryRow,
  type DeliveryState,
  SECRET_ENCODINGS,
  type SecretEncoding,
  type WebhookRow,
} from './webhooks/WebhookTables.ts'
export * as WebhookTail from './webhooks/WebhookTail.ts'
