import type { AppAnswer, AppRequestInit, Counters, Endpoint } from '@firn/p2p'

/** The part of a peer-to-peer network that this service uses. */
export interface PeerNetwork {
  track(nodeIds: Iterable<Uint8Array>): void
  untrack(nodeIds: Iterable<Uint8Array>): void
  addEndpoint(nodeId: Uint8Array, endpoint: Endpoint.Endpoint): void
  connection(nodeId: Uint8Array): { readonly state: string; readonly reason?: string }
  request(nodeId: Uint8Array, request: AppRequestInit, signal?: AbortSignal): Promise<AppAnswer>
  /** Counters of all connections since the start. */
  readonly counters: Readonly<Counters>
}
