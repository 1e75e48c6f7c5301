/**
 * Typed client for the Data API and the Metrics API, including the signatures of the signature aggregator.
 *
 * @packageDocumentation
 */
export type { RequestOptions } from './Calls.ts'
export { ClientError, type ClientErrorCode, type ErrorResponse, isClientError } from './ClientError.ts'
export { type Client, type ClientOptions, createClient } from './createClient.ts'
export type { ServerEvent } from './Events.ts'
export type * from './gen/operations.ts'
export type * from './gen/schemas.ts'
export type { List } from './List.ts'
export type { AnswerCache, CachedAnswer, CallOptions } from './Request.ts'
