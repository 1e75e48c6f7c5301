/** One request for a signature, as the aggregation hands it to the transport. */
export interface TransportRequest {
  /** 32 bytes: the chain whose handler signs, which is the message's source chain. */
  readonly chainId: Uint8Array
  /** The ACP-118 `SignatureRequest` body, without the handler prefix. */
  readonly bytes: Uint8Array
  /** Milliseconds from now after which the transport must answer `timeout`. */
  readonly deadlineMs: number
}

/** What came of one request. A `response` holds the bytes of the peer, unchecked. */
export type Answer =
  | { readonly kind: 'response'; readonly bytes: Uint8Array }
  | { readonly kind: 'error'; readonly code: number; readonly message: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'disconnected'; readonly reason: string }

/**
 * Whether a node can be asked now. `pending: true` says that a connection is being made, so that it is worth
 * waiting (for `connectGraceMs` at the most); without it, an unconnected node counts as unreachable, though it
 * is looked at again as long as the aggregation runs.
 */
export type ConnectionState =
  | { readonly connected: true }
  | { readonly connected: false; readonly reason: string; readonly pending?: boolean }

/**
 * The way to the validators. Matching answers to requests (repeated answers, answers to requests never sent) is
 * the transport's work: each request resolves once. A request that rejects counts as `disconnected`.
 */
export interface Transport {
  /** Asks the node (20 bytes) and resolves with exactly one answer; gives up early when the signal aborts. */
  request(nodeId: Uint8Array, request: TransportRequest, signal: AbortSignal): Promise<Answer>
  /** Returns whether the node (20 bytes) can be asked now. Called often; must be cheap. */
  connection(nodeId: Uint8Array): ConnectionState
}
