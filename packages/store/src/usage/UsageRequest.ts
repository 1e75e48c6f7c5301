/** A request to a node, as usage counts it: a call of a batch is one, and so is a message of a websocket. */
export interface UsageRequest {
  /** When it ended, Unix seconds. */
  readonly time: number
  /** An EVM chain id in decimal, or what else the chain goes by. */
  readonly chainId: string
  readonly method: string
  /** As HTTP has it, 100 to 599. */
  readonly status: number
  /** The name of the bypass token; empty without one. */
  readonly token: string
  /** How long its answer took; a whole number. */
  readonly milliseconds: number
  /** What it costs; a whole number. */
  readonly credits: number
}
