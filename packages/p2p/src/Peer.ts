import type { AppAnswer } from './AppRequests.ts'
import type { PeerInfo } from './Handshake.ts'
import type * as Message from './Message.ts'
import type { P2pError } from './P2pError.ts'

/** Where a connection stands: before both sides accepted each other, usable, over. */
export type PeerState = 'handshaking' | 'ready' | 'closed'

/** One connection to one NodeID, either direction: the protocol is the same from both ends. */
export interface Peer {
  readonly direction: 'outbound' | 'inbound'
  /** 20 bytes, of the certificate shown. */
  readonly nodeId: Uint8Array
  /** DER. */
  readonly certificate: Uint8Array
  /** The socket's far end. */
  readonly remote: { readonly host: string; readonly port: number }
  readonly state: PeerState
  /** Undefined until the peer's Handshake was accepted. */
  readonly info: PeerInfo | undefined
  /** Why it ended; undefined while it lives. */
  readonly closeReason: P2pError | undefined
  /** Milliseconds between the last Ping and its Pong; undefined before the first. */
  readonly roundTripMs: number | undefined
  /** When the last frame went to the peer and when the last one came from it, in Unix milliseconds; the beginning before the first. */
  readonly lastSent: number
  readonly lastReceived: number
  /** How much of the time the peer saw this side, in percent, as its last Ping said; 0 before the first. */
  readonly observedUptime: number

  /**
   * Sends one message. False when it was dropped: the connection is over or its outbound queue is full.
   * `compress` wraps it in zstd; without it, what nodes compress is compressed if the peer was made so.
   */
  send(body: Message.BodyInit, options?: { readonly compress?: boolean }): boolean
  /** Sends bytes as one frame, whatever they hold. */
  sendFrame(body: Uint8Array): boolean
  /** Sends bytes as they are, no length in front. */
  sendRaw(bytes: Uint8Array): boolean
  /** Ends the connection in order (close notification, then end of stream). */
  close(reason?: P2pError): void
  /** Cuts the connection at once, without a word. */
  destroy(): void
}

/** An application request that arrived in time. */
export interface InboundRequest {
  /** 32 bytes. */
  readonly chainId: Uint8Array
  readonly requestId: number
  /** When the asking peer stops caring, in milliseconds of the monotonic clock: 10 s after receipt at most. */
  readonly expiresAt: number
  /** Handler prefix and body. */
  readonly bytes: Uint8Array
}

/** How to answer a request: at most one call counts, further ones are counted and not sent. Silence is allowed. */
export interface Reply {
  response(bytes: Uint8Array): void
  error(code: number, message: string): void
}

/** Handles an application request; must not throw. */
export type AppRequestHandler = (peer: Peer, request: InboundRequest, reply: Reply) => void

/** Sees each decoded message before the protocol acts on it; returning true keeps the protocol from acting. */
export type MessageHook = (peer: Peer, body: Message.Body) => boolean | undefined

export type { AppAnswer }
