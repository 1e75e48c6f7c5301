import type { ChainHandlers } from '../ChainRequests.ts'
import type { KnownPeers, PeersQuery } from '../ClaimBook.ts'
import type { ClaimedIpPort } from '../ClaimedIpPort.ts'
import type { Counters } from '../Counters.ts'
import type * as Handshake from '../Handshake.ts'
import type { Limits } from '../Limits.ts'
import type { P2pError } from '../P2pError.ts'
import type { AppRequestHandler, GossipHandler, MessageHook, Peer, PeerState } from '../Peer.ts'
import type { Timers } from '../Timers.ts'
import type { PeerCertificate } from './certificate.ts'
import type { Rules } from './handshakeRules.ts'
import type { InboundRequests } from './InboundRequests.ts'
import type { Keepalive } from './Keepalive.ts'
import type { OutboundRequests } from './OutboundRequests.ts'

/** A peer together with its protocol state. */
export interface LivePeer extends Peer {
  readonly context: PeerContext
  readonly peerCertificate: PeerCertificate
  readonly requests: OutboundRequests
  readonly inbound: InboundRequests
  readonly keepalive: Keepalive
  state: PeerState
  info: Handshake.PeerInfo | undefined
  /** The filter from the peer's Handshake. */
  known: KnownPeers | undefined
  roundTripMs: number | undefined
  observedUptime: number
  isHandshakeSent: boolean
  /** Time at which the outstanding Ping was sent, as returned by `timers.monotonic()`; undefined if there is none. */
  pingSentAt: number | undefined
  isPongDue: boolean
  /** The registered BLS key with which the peer's signed address was last checked; null if it was not checked. */
  checkedKey: Uint8Array | null
  /** Resolves when the socket has been closed. */
  readonly gone: Promise<void>
  /** Starts to read. In the role `node`, it also sends the Handshake. */
  start(): void
}

/** State that all connections of one network or server share. */
export interface PeerContext {
  /**
   * `node`: sends its Handshake at once, answers each Ping, and sends a Ping at every tick. `client`: waits for the
   * node's Handshake, so that this side can reject the node without sending anything. A client answers several Pings
   * that arrived together with a single Pong, because a node accepts only one, and keeps at most one Ping
   * outstanding.
   */
  readonly role: 'node' | 'client'
  readonly own: Handshake.Own
  readonly rules: Rules
  readonly limits: Limits
  readonly timers: Timers
  readonly counters: Counters
  /** Whether to compress the kinds of messages that nodes compress. */
  readonly compress: boolean
  /** All connections whose socket is still open. */
  readonly open: Set<LivePeer>
  readonly address: () => Handshake.SignedAddress
  /** Returns the filter of known claims for this side's Handshake. */
  readonly known: () => { readonly filter: Uint8Array; readonly salt: Uint8Array } | undefined
  readonly peersFor: (peer: Peer, query: PeersQuery) => readonly ClaimedIpPort[]
  /**
   * Handles the claims of a PeerList.
   * @throws P2pError if the sender must be disconnected
   */
  readonly onClaims: (peer: Peer, claims: readonly ClaimedIpPort[]) => void
  readonly onAppRequest: AppRequestHandler
  readonly chains: ChainHandlers
  readonly onGossip: GossipHandler | undefined
  readonly onMessage: MessageHook | undefined
  readonly onReady: (peer: LivePeer) => void
  readonly onClose: (peer: LivePeer, reason: P2pError) => void
}
