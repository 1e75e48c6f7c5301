import type { AppAnswer, AppRequestInit } from './AppRequests.ts'
import type { Counters } from './Counters.ts'
import type { Identity } from './Identity.ts'
import type { BlsChecks } from './Limits.ts'
import type { P2pError } from './P2pError.ts'
import type { Peer } from './Peer.ts'
import type { Timers } from './Timers.ts'
import type { Compatibility, Version } from './Version.ts'

/** Where a node listens: an IP address (no name) and a port. */
export interface Endpoint {
  readonly host: string
  readonly port: number
}

/** The state of the one connection a NodeID may have. */
export type Connection =
  | { readonly state: 'connected' }
  | { readonly state: 'connecting' | 'disconnected' | 'unknown'; readonly reason: string }

/** What {@link createNetwork} takes. */
export interface NetworkOptions {
  readonly networkId: number
  readonly identity: Identity
  /** Version to claim. */
  readonly version?: Version
  readonly compatibility?: Compatibility
  readonly bls?: BlsChecks
  /** At most 16 ids of 32 bytes; only gossip depends on it. */
  readonly trackedSubnets?: readonly Uint8Array[]
  /** TLS handshakes under way at once; default 8. */
  readonly connectConcurrency?: number
  readonly timers?: Timers
  readonly onConnected?: (peer: Peer) => void
  readonly onDisconnected?: (peer: Peer, reason: P2pError) => void
}

/** The dialling side: keeps at most one connection to each tracked NodeID and asks them. */
export interface Network {
  /** Starts wanting connections to these NodeIDs (20 bytes each). */
  track(nodeIds: Iterable<Uint8Array>): void
  /** Stops wanting them; their connections are closed. */
  untrack(nodeIds: Iterable<Uint8Array>): void
  /** Tells where a NodeID listens (manual peers, `info.peers`). */
  addEndpoint(nodeId: Uint8Array, endpoint: Endpoint): void
  connection(nodeId: Uint8Array): Connection
  /** The live peer of a NodeID, if connected. */
  peer(nodeId: Uint8Array): Peer | undefined
  /** All connected peers. */
  peers(): readonly Peer[]
  /** Resolves when the NodeID is connected. */
  connected(nodeId: Uint8Array, signal?: AbortSignal): Promise<Peer>
  request(nodeId: Uint8Array, request: AppRequestInit, signal?: AbortSignal): Promise<AppAnswer>
  readonly counters: Counters
  close(): Promise<void>
}

export function createNetwork(_options: NetworkOptions): Network {
  throw new Error('soon')
}
