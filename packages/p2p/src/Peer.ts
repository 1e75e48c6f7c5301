import type { AppAnswer } from './AppRequests.ts'
import type { PeerInfo } from './Handshake.ts'
import type * as Message from './Message.ts'
import type { P2pError } from './P2pError.ts'
import type { ChainGossip } from './PushGossip.ts'

/** State of a connection: handshake in progress, usable, or closed. */
export type PeerState = 'handshaking' | 'ready' | 'closed'

/** One connection to one NodeID. The protocol is the same for outbound and inbound connections. */
export interface Peer {
  readonly direction: 'outbound' | 'inbound'
  /** The peer's NodeID (20 bytes), derived from the certificate that it presented. */
  readonly nodeId: Uint8Array
  /** The X.509 certificate in DER. */
  readonly certificate: Uint8Array
  /** The remote address and port of the socket. */
  readonly remote: { readonly host: string; readonly port: number }
  readonly state: PeerState
  /** The content of the peer's Handshake; undefined until it is accepted. */
  readonly info: PeerInfo | undefined
  /** The reason why the connection ended; undefined while it is open. */
  readonly closeReason: P2pError | undefined
  /** Milliseconds between the last answered Ping and its Pong; undefined before the first Pong. */
  readonly roundTripMs: number | undefined
  /**
   * Time at which the last frame was sent to the peer, in Unix milliseconds. Until the first frame is sent, the
   * time at which the connection started. `lastReceived` is the corresponding time for frames from the peer.
   */
  readonly lastSent: number
  readonly lastReceived: number
  /** This side's uptime in percent as reported by the peer's last Ping; 0 before the first Ping. */
  readonly observedUptime: number

  /**
   * Sends one message. Returns false if it was dropped because the connection is closed or its outbound queue
   * is full. `compress` wraps it in zstd. By default, messages are compressed as in nodes if the option
   * `compress` of the network or server is set.
   */
  send(body: Message.BodyInit, options?: { readonly compress?: boolean }): boolean
  /** Sends bytes as one frame without interpreting them. */
  sendFrame(body: Uint8Array): boolean
  /** Sends bytes unchanged, without adding a length prefix. */
  sendRaw(bytes: Uint8Array): boolean
  /** Closes the connection gracefully: sends the TLS close notification, then ends the stream. */
  close(reason?: P2pError): void
  /** Destroys the connection immediately, without notifying the peer. */
  destroy(): void
}

/** An application request that arrived before its deadline. */
export interface InboundRequest {
  /** Id of the chain, 32 bytes. */
  readonly chainId: Uint8Array
  readonly requestId: number
  /**
   * Time at which the requesting peer stops waiting, in milliseconds as returned by `Timers.monotonic()`: at most 10
   * s after receipt.
   */
  readonly expiresAt: number
  /** Handler prefix and body of the request. */
  readonly bytes: Uint8Array
}

/**
 * Answers a request. Only the first call sends an answer; further calls are counted and ignored. A handler
 * may also send no answer.
 */
export interface Reply {
  response(bytes: Uint8Array): void
  error(code: number, message: string): void
}

/** Handles an application request. It must not throw. */
export type AppRequestHandler = (peer: Peer, request: InboundRequest, reply: Reply) => void

/** Handles transactions that a peer pushed. It must not throw. */
export type GossipHandler = (gossip: ChainGossip, peer: Peer) => void

/**
 * Receives each decoded message before the protocol handles it. If it returns true, the protocol ignores the
 * message.
 */
export type MessageHook = (peer: Peer, body: Message.Body) => boolean | undefined

export type { AppAnswer }
