/**
 * Requests with which a node's chain is read. `chainId` and container ids have 32 bytes. `deadlineMs` is the time in
 * milliseconds to wait for the answer.
 */
export interface ChainRequests {
  /** Asks for the id of the last accepted container. */
  acceptedFrontier: { readonly chainId: Uint8Array; readonly deadlineMs: number }
  /** Asks which of the containers the peer has accepted. */
  accepted: {
    readonly chainId: Uint8Array
    readonly containerIds: readonly Uint8Array[]
    readonly deadlineMs: number
  }
  /** Asks for a container and its ancestors: of a chain of blocks, or of the X-chain's DAG of vertices. */
  ancestors: {
    readonly chainId: Uint8Array
    readonly containerId: Uint8Array
    readonly engine: 'chain' | 'dag'
    readonly deadlineMs: number
  }
  /** Asks what the peer has accepted, and what it has at `requestedHeight`. `containerId` must be known to it. */
  pullQuery: {
    readonly chainId: Uint8Array
    readonly containerId: Uint8Array
    readonly requestedHeight: bigint
    readonly deadlineMs: number
  }
}

/** The answers to {@link ChainRequests}, unchecked. */
export interface ChainAnswers {
  acceptedFrontier: { readonly containerId: Uint8Array }
  accepted: { readonly containerIds: readonly Uint8Array[] }
  ancestors: { readonly containers: readonly Uint8Array[] }
  pullQuery: {
    readonly preferredId: Uint8Array
    readonly preferredIdAtHeight: Uint8Array
    readonly acceptedId: Uint8Array
    readonly acceptedHeight: bigint
  }
}

/** The name of a request. */
export type ChainRequestKind = keyof ChainRequests

/**
 * The outcome of a request. `unsent` means that the request never left this machine, so the outcome says nothing about
 * the peer. `malformed` is an answer that is not in the protocol's form.
 */
export type ChainAnswer<Kind extends ChainRequestKind> =
  | { readonly kind: 'answer'; readonly answer: ChainAnswers[Kind] }
  | { readonly kind: 'malformed'; readonly reason: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'unsent'; readonly reason: string }
  | { readonly kind: 'disconnected'; readonly reason: string }

/** The connections to peers. The `Network` of `@firn/p2p` needs only `connected` to be one. */
export interface Transport {
  /** Returns the NodeIDs (20 bytes) of the peers that can be asked now. It is called for each request. */
  connected(): Iterable<Uint8Array>
  /**
   * Sends a request to a peer and resolves with exactly one outcome, at the latest after the deadline. An abort of the
   * signal ends the request. A rejected promise counts as `disconnected`.
   */
  ask<Kind extends ChainRequestKind>(
    kind: Kind,
    nodeId: Uint8Array,
    request: ChainRequests[Kind],
    signal?: AbortSignal,
  ): Promise<ChainAnswer<Kind>>
}
