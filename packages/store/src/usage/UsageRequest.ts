/** A request to a node as usage counts it: each call of a batch and each message of a WebSocket is one. */
export interface UsageRequest {
  /** When it ended, Unix seconds. */
  readonly time: number
  /** An EVM chain id in decimal, or another name of the chain. */
  readonly chainId: string
  readonly method: string
  /** The HTTP status, 100 to 599. */
  readonly status: number
  /** The name of the bypass token; empty without one. */
  readonly token: string
  /** The duration of the request; an integer. */
  readonly milliseconds: number
  /** The cost of the request; an integer. */
  readonly credits: number
}
