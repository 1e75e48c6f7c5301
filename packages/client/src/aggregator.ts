/**
 * Typed client for all routes of a signature aggregator, apart from the client for the Data API so that bundles have
 * only what they use.
 *
 * @packageDocumentation
 */
import { createCalls, type RequestOptions } from './Calls.ts'
import { OPERATIONS, type Operations } from './gen/aggregatorOperations.ts'

export type { RequestOptions } from './Calls.ts'
export { ClientError, type ClientErrorCode, type ErrorResponse, isClientError } from './ClientError.ts'
export type { ServerEvent } from './Events.ts'
export type * from './gen/aggregatorOperations.ts'
export type * from './gen/aggregatorSchemas.ts'
export type { List } from './List.ts'
export type { CallOptions } from './Request.ts'

/** Options of {@link createAggregatorClient}. */
export interface AggregatorClientOptions extends RequestOptions {
  /** URL of the signature aggregator, such as `http://127.0.0.1:8080`. */
  readonly url: string
}

/** A client for a signature aggregator. Its operations are grouped by the tags of the documentation. */
export type AggregatorClient = Operations

/**
 * Creates a client for a signature aggregator, whose operations have the names of its OpenAPI document. To only collect
 * signatures, {@link createClient} of `@firn/client` is enough.
 * @throws ClientError `CLIENT_URL` if the URL is invalid; operations throw `ClientError` with the status of the response
 *
 * @example
 * ```ts
 * import { createAggregatorClient } from '@firn/client/aggregator'
 *
 * // The answer of a service. Omit `fetch` to call a real one.
 * const fetch = async () => new Response('{"signedMessage":"00…"}')
 *
 * const { signatureAggregator } = createAggregatorClient({ url: 'http://127.0.0.1:8080', fetch })
 * const answer = await signatureAggregator.aggregateSignatures({ network: 'fuji', message: '0x00…', proof: true })
 * // A batch, and a job with `prefer: 'respond-async'`, have other members.
 * if ('signedMessage' in answer) console.log(answer.signedMessage)
 * ```
 */
export function createAggregatorClient(options: AggregatorClientOptions): AggregatorClient {
  return createCalls(OPERATIONS, { data: options.url }, options) as AggregatorClient
}
