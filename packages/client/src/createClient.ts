import { createCalls, type RequestOptions } from './Calls.ts'
import { OPERATIONS, type Operations } from './gen/operations.ts'

/** Options of {@link createClient}. */
export interface ClientOptions extends RequestOptions {
  /** URL of the Data API, such as `https://data.example.org`, or of a signature aggregator for its operation. */
  readonly url: string
  /** URL of the Metrics API, if it differs from the URL of the Data API. */
  readonly metricsUrl?: string | undefined
}

/** A client for the REST APIs. Its operations are grouped by the tags of the documentation. */
export type Client = Operations

/**
 * Creates a client for the Data API and the Metrics API. Operations have the names of the
 * OpenAPI documents. An operation returns the parsed answer. Lists also have `pages`, which returns all pages, and
 * `items`, which returns the items of all pages.
 * @throws ClientError `CLIENT_URL` if a URL is invalid; operations throw `ClientError` with the status of the response
 *
 * @example
 * ```ts
 * import { createClient } from '@firn/client'
 *
 * // The answer of a service. Omit `fetch` to call a real one.
 * const fetch = async () => new Response('{"nativeTokenBalance":{"balance":"1000","symbol":"AVAX"}}')
 *
 * const client = createClient({ url: 'https://data.example.org', fetch })
 * const address = '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E'
 * const { nativeTokenBalance } = await client.evm.getNativeBalance({ chainId: '43114', address })
 * console.log(nativeTokenBalance.balance) // '1000'
 * ```
 */
export function createClient(options: ClientOptions): Client {
  const urls = { data: options.url, metrics: options.metricsUrl }
  return createCalls(OPERATIONS, urls, options) as Client
}
