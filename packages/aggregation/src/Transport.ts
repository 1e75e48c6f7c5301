/** One request for a signature, as the aggregator gives it to the transport. */
export interface TransportRequest {
  /** Id (32 bytes) of the chain whose handler signs, which is the message's source chain. */
  readonly chainId: Uint8Array
  /** The ACP-118 `SignatureRequest` body, without the handler prefix. */
  readonly bytes: Uint8Array
  /** Milliseconds after `onSent` at which the transport must report `timeout`. */
  readonly deadlineMs: number
  /**
   * The transport must call this function once, when the request leaves this machine. Until then, the request waits
   * in local queues, and this time does not count against the node.
   */
  readonly onSent: () => void
  /** The transport must call this function with a response that arrives after the `timeout` or the abort. */
  readonly onLateResponse: (bytes: Uint8Array) => void
}

/** Who says that a node has given an answer. */
export interface Reported {
  /**
   * Name of the program that reports the answer. Absent if the node itself has sent it to this program. Only the
   * signature in such an answer can be verified, so nothing else in it counts against the node.
   */
  readonly reportedBy?: string
}

/**
 * The outcome of one request. A `response` contains the peer's unchecked bytes. `unsent` means that the request
 * never left this machine, so the outcome says nothing about the node.
 */
export type Answer =
  | ({ readonly kind: 'response'; readonly bytes: Uint8Array } & Reported)
  | ({ readonly kind: 'error'; readonly code: number; readonly message: string } & Reported)
  | { readonly kind: 'timeout' }
  | { readonly kind: 'unsent'; readonly reason: string }
  | { readonly kind: 'disconnected'; readonly reason: string }

/**
 * Whether requests can be sent to a node now. `pending: true` means that a connection is in progress, so the
 * aggregator waits for it, for at most `connectGraceMs`. Without it, an unconnected node counts as
 * unreachable, but is checked again while the aggregation runs.
 */
export type ConnectionState =
  | { readonly connected: true }
  | { readonly connected: false; readonly reason: string; readonly pending?: boolean }

/**
 * The connection to the validators. The transport matches responses to requests, and drops duplicate and
 * unexpected responses: each request resolves once. A rejected promise counts as `disconnected`.
 */
export interface Transport {
  /**
   * Sends the request to the node (20-byte id) and resolves with exactly one outcome; stops early when the
   * signal aborts.
   */
  request(nodeId: Uint8Array, request: TransportRequest, signal: AbortSignal): Promise<Answer>
  /**
   * Returns whether requests can be sent to the node (20-byte id) now. It is called often, so it must be
   * fast.
   */
  connection(nodeId: Uint8Array): ConnectionState
}
