/** The Data API service: a REST server and its endpoints for indexed data. */

export type { Aggregate, AggregateAnswer, AggregateRequest } from './AggregatorClient.ts'
export type { DataContext } from './Context.ts'
export * as DataApi from './command/DataApi.ts'
export * as Serving from './command/Serving.ts'
export * as ServingOptions from './command/ServingOptions.ts'
export { DataApiError, type DataApiErrorCode } from './DataApiError.ts'
export { type Access, type AccessOptions, createAccess } from './front/Access.ts'
export { type Answer, type Body, type Call, define, type Endpoint } from './front/Endpoint.ts'
export { type FrontOptions, front, serverOptions } from './front/Front.ts'
export { type List, list, type PageRequest, type Snapshots } from './front/List.ts'
export { createPageTokens, type PageToken, type PageTokens } from './front/PageToken.ts'
export * as Parameter from './front/Parameter.ts'
export {
  type Allowance,
  type Counters,
  createMemoryCounters,
  type Decision,
  take,
} from './front/RateLimit.ts'
export { createRedisCounters } from './front/RedisCounters.ts'
export * as Schema from './front/Schema.ts'
export { createKey, createKeyRing, listKeys, type NewKey, revokeKey, setKeyScopes } from './KeyRing.ts'
export * as MetadataFile from './metadata/MetadataFile.ts'
export type { ChainEntry } from './metadata/MetadataSchema.ts'
export { primaryNetworkEndpoints } from './primary-network/Endpoints.ts'
export type { Content } from './Served.ts'
export type { ServedChain } from './ServedChains.ts'
export { createDataApi, type DataApiService, type ServiceOptions } from './Service.ts'
export type { AggregateStatus } from './signature-aggregator/AggregateStatus.ts'
export { aggregateSignatures } from './signature-aggregator/aggregateSignatures.ts'
export { getAggregatedSignatures } from './signature-aggregator/getAggregatedSignatures.ts'
export type { WebhookOptions } from './webhooks/WebhookOptions.ts'
