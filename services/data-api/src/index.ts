/** The Data API service: a REST server and its endpoints for indexed data. */

export * as DataApi from './command/DataApi.ts'
export * as Serving from './command/Serving.ts'
export * as ServingOptions from './command/ServingOptions.ts'
export type { ServedChain } from './evm/chain/ServedChains.ts'
export { type Access, type AccessOptions, createAccess } from './http/admission/Access.ts'
export { type Counters, createMemoryCounters, type Decision, take } from './http/admission/RateLimit.ts'
export { createRedisCounters } from './http/admission/RedisCounters.ts'
export type { Allowance, Caller } from './http/endpoint/Caller.ts'
export { DataApiError, type DataApiErrorCode } from './http/endpoint/DataApiError.ts'
export { type Answer, type Body, type Call, define, type Endpoint } from './http/endpoint/Endpoint.ts'
export { type List, list, type PageRequest, type Snapshots } from './http/endpoint/List.ts'
export { createPageTokens, type PageToken, type PageTokens } from './http/endpoint/PageToken.ts'
export * as Parameter from './http/endpoint/Parameter.ts'
export * as Schema from './http/endpoint/Schema.ts'
export { type RestOptions, restPlugin, serverOptions } from './http/RestPlugin.ts'
export * as MetadataFile from './metadata/MetadataFile.ts'
export type { ChainEntry } from './metadata/MetadataSchema.ts'
export {
  createKey,
  createKeyRing,
  listKeys,
  type NewKey,
  revokeKey,
  setKeyScopes,
} from './operate/KeyRing.ts'
export { primaryNetworkEndpoints } from './primary/Endpoints.ts'
export type { DataContext } from './primary/network/Context.ts'
export type { Content } from './service/Content.ts'
export { createDataApi, type DataApiService, type ServiceOptions } from './service/Service.ts'
export type { AggregateStatus } from './signature-aggregator/AggregateStatus.ts'
export { aggregateSignatures } from './signature-aggregator/aggregateSignatures.ts'
export { getAggregatedSignatures } from './signature-aggregator/getAggregatedSignatures.ts'
export type { Aggregate, AggregateAnswer, AggregateRequest } from './upstream/AggregatorClient.ts'
export type { WebhookOptions } from './webhooks/WebhookOptions.ts'
