/** A request to the Data API with an API key, as counted and logged for the owner of the key. */
export interface ApiRequest {
  /** Unique id of the request, which its response contained. */
  readonly id: string
  /** Id of the API key. */
  readonly keyId: string
  /** Time at which the request ended, in Unix milliseconds. */
  readonly time: number
  /** Path pattern of the endpoint, such as `/v1/chains/{chainId}/blocks`. */
  readonly endpoint: string
  /** Path of the request, without the query. */
  readonly path: string
  /** Chain in the path as the caller named it; empty if the path has none. */
  readonly chainId: string
  /** HTTP status code, from 100 to 599. */
  readonly status: number
  /** Duration of the request in whole milliseconds. */
  readonly milliseconds: number
  /** Compute units that the request was charged. */
  readonly credits: number
  readonly client: ApiClient
}

/** Who sent a request. The texts are empty if the service does not store them. */
export interface ApiClient {
  readonly address: string
  /** The `host` header. */
  readonly host: string
  /** The `user-agent` header. */
  readonly userAgent: string
}
