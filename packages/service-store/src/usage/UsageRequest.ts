/**
 * A request to a node, as counted for usage statistics. Each call of a batch and each message of a WebSocket
 * counts as one request.
 */
export interface UsageRequest {
  /** Time at which the request ended, in Unix seconds. */
  readonly time: number
  /** EVM chain id in decimal, or another name of the chain. */
  readonly chainId: string
  readonly method: string
  /** HTTP status code, from 100 to 599. */
  readonly status: number
  /** Name of the bypass token; empty if the request had none. */
  readonly token: string
  /** Duration of the request in whole milliseconds. */
  readonly milliseconds: number
  /** Cost of the request in credits, a whole number. */
  readonly credits: number
}
