/**
 * What services store beside the data of networks and EVM chains: API keys, secrets, webhooks, usage and exports.
 *
 * @packageDocumentation
 */
export * as ApiKeys from './ApiKeys.ts'
export * as CheckResults from './CheckResults.ts'
export * as Secrets from './Secrets.ts'
export {
  type ApiKeyRow,
  type CheckResultRow,
  SERVICE_TABLES,
  type SecretRow,
  type ServiceStore,
  type ServiceTables,
} from './ServiceTables.ts'
export * as UsageDatabase from './UsageDatabase.ts'
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
