/** One request for a signature, as the aggregation passes it to the transport. */
export interface TransportRequest {
  /** 32 bytes: the chain whose handler signs, which is the message's source chain. */
  readonly chainId: Uint8Array
  /** The ACP-118 `SignatureRequest` body, without the handler prefix. */
  readonly bytes: Uint8Array
  /** Milliseconds from now after which the transport must answer `timeout`. */
  readonly deadlineMs: number
}

/** The outcome of one request. A `response` holds the unchecked bytes of the peer. */
export type Answer =
  | { readonly kind: 'response'; readonly bytes: Uint8Array }
  | { readonly kind: 'error'; readonly code: number; readonly message: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'disconnected'; readonly reason: string }

/**
 * Whether a node can be asked now. `pending: true` means that a connection is in progress, so it is worth
 * waiting (for at most `connectGraceMs`); without it, an unconnected node counts as unreachable, though it is
 * checked again as long as the aggregation runs.
 */
export type ConnectionState =
  | { readonly connected: true }
  | { readonly connected: false; readonly reason: string; readonly pending?: boolean }

/**
 * The connection to the validators. The transport matches answers to requests (repeated answers, answers to
 * requests never sent): each request resolves once. A request that rejects counts as `disconnected`.
 */
export interface Transport {
  /** Asks the node (20 bytes) and resolves with exactly one answer; stops early when the signal aborts. */
  request(nodeId: Uint8Array, request: TransportRequest, signal: AbortSignal): Promise<Answer>
  /** Returns whether the node (20 bytes) can be asked now. Called often, so it must be cheap. */
  connection(nodeId: Uint8Array): ConnectionState
}
