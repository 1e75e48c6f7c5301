import type { AppRequests } from '../AppRequests.ts'
import type { KnownPeers, PeersQuery } from '../ClaimBook.ts'
import type { ClaimedIpPort } from '../ClaimedIpPort.ts'
import type { Counters } from '../Counters.ts'
import type * as Handshake from '../Handshake.ts'
import type { Limits } from '../Limits.ts'
import type { P2pError } from '../P2pError.ts'
import type { AppRequestHandler, MessageHook, Peer, PeerState } from '../Peer.ts'
import type { Timers } from '../Timers.ts'
import type { PeerCertificate } from './certificate.ts'
import type { InboundRequests } from './InboundRequests.ts'
import type { Keepalive } from './Keepalive.ts'

/** A peer with its protocol state. */
export interface LivePeer extends Peer {
  readonly context: PeerContext
  readonly peerCertificate: PeerCertificate
  readonly requests: AppRequests
  readonly inbound: InboundRequests
  readonly keepalive: Keepalive
  state: PeerState
  info: Handshake.PeerInfo | undefined
  /** The filter of the peer's Handshake. */
  known: KnownPeers | undefined
  roundTripMs: number | undefined
  observedUptime: number
  isHandshakeSent: boolean
  /** When the Ping that awaits its Pong was sent. */
  pingSentAt: number | undefined
  isPongDue: boolean
  /** The registered BLS key that the peer's address was last checked against. */
  checkedKey: Uint8Array | null
  /** Resolves when the socket is closed. */
  readonly gone: Promise<void>
  /** Starts to read and, as a node, to send. */
  start(): void
}

/** State that all connections of one network or server share. */
export interface PeerContext {
  /**
   * `node`: sends its Handshake at once, answers each Ping, pings at every tick. `client`: waits for the
   * node's Handshake, so that a refusal can be read; answers Pings that arrived together once, because a node
   * accepts one Pong for all Pings that it sent; keeps one Ping in flight.
   */
  readonly role: 'node' | 'client'
  readonly own: Handshake.Own
  readonly rules: Handshake.Rules
  readonly limits: Limits
  readonly timers: Timers
  readonly counters: Counters
  /** Whether to compress the messages that nodes compress. */
  readonly compress: boolean
  /** Every connection whose socket is still open. */
  readonly open: Set<LivePeer>
  readonly address: () => Handshake.SignedAddress
  /** Returns the filter for this side's Handshake. */
  readonly known: () => { readonly filter: Uint8Array; readonly salt: Uint8Array } | undefined
  readonly peersFor: (peer: Peer, query: PeersQuery) => readonly ClaimedIpPort[]
  /**
   * Handles a PeerList's claims.
   * @throws P2pError when the sender must be disconnected
   */
  readonly onClaims: (peer: Peer, claims: readonly ClaimedIpPort[]) => void
  readonly onAppRequest: AppRequestHandler
  readonly onMessage: MessageHook | undefined
  readonly onReady: (peer: LivePeer) => void
  readonly onClose: (peer: LivePeer, reason: P2pError) => void
}
