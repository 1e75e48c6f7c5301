import type * as BloomFilter from './BloomFilter.ts'
import type * as ClaimedIpPort from './ClaimedIpPort.ts'
import type { Counters } from './Counters.ts'
import type { Identity } from './Identity.ts'
import type { BlsChecks } from './Limits.ts'
import type * as Message from './Message.ts'
import type { P2pError } from './P2pError.ts'
import type { Peer } from './Peer.ts'
import type { Timers } from './Timers.ts'
import type { Compatibility, Version } from './Version.ts'

/** An application request that arrived in time. */
export interface InboundRequest {
  /** 32 bytes. */
  readonly chainId: Uint8Array
  readonly requestId: number
  /** Milliseconds on the monotonic clock after which an answer is of no use: 10 s from receipt at most. */
  readonly expiresAt: number
  /** Handler prefix and body. */
  readonly bytes: Uint8Array
}

/** How to answer a request; the first call counts, further ones and late ones are not sent. Silence is allowed. */
export interface Reply {
  response(bytes: Uint8Array): void
  error(code: number, message: string): void
}

/** What a peer asks for in its Handshake or GetPeerList. */
export interface PeersQuery {
  /** What the asking peer knows; undefined: nothing. */
  readonly known: { readonly filter: BloomFilter.BloomFilter; readonly salt: Uint8Array } | undefined
  readonly allSubnets: boolean
}

/** What {@link createPeerServer} takes. */
export interface PeerServerOptions {
  readonly networkId: number
  readonly identity: Identity
  /** Default 127.0.0.1. */
  readonly host?: string
  /** Default 0: any free port. */
  readonly port?: number
  readonly version?: Version
  readonly compatibility?: Compatibility
  readonly bls?: BlsChecks
  /** The registered BLS key (48 bytes) of a validator; null for others. */
  readonly validatorKey?: (nodeId: Uint8Array) => Uint8Array | null
  readonly trackedSubnets?: readonly Uint8Array[]
  readonly onAppRequest?: (peer: Peer, request: InboundRequest, reply: Reply) => void
  /** Sees each decoded message first; returning true keeps the protocol from acting on it. */
  readonly onMessage?: (peer: Peer, body: Message.Body) => boolean | undefined
  /** What this node gossips: at most 15 are sent. */
  readonly peersFor?: (peer: Peer, query: PeersQuery) => readonly ClaimedIpPort.ClaimedIpPort[]
  readonly onReady?: (peer: Peer) => void
  readonly onClose?: (peer: Peer, reason: P2pError) => void
  readonly timers?: Timers
}

/** The accepting side: one TLS listener of one NodeID. */
export interface PeerServer {
  readonly nodeId: Uint8Array
  readonly address: { readonly host: string; readonly port: number }
  /** This node's own signed address, to be gossiped by others. */
  readonly claim: ClaimedIpPort.ClaimedIpPort
  /** Live peers. */
  peers(): readonly Peer[]
  readonly counters: Counters
  close(): Promise<void>
}

export function createPeerServer(_options: PeerServerOptions): Promise<PeerServer> {
  throw new Error('soon')
}
