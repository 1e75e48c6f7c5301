import type { AppAnswer } from './AppRequests.ts'
import type { PeerInfo } from './Handshake.ts'
import type * as Message from './Message.ts'
import type { P2pError } from './P2pError.ts'

/** State of a connection: before both sides accepted each other, usable, closed. */
export type PeerState = 'handshaking' | 'ready' | 'closed'

/** One connection to one NodeID, either direction: the protocol is the same from both ends. */
export interface Peer {
  readonly direction: 'outbound' | 'inbound'
  /** 20 bytes, derived from the certificate that it presented. */
  readonly nodeId: Uint8Array
  /** DER. */
  readonly certificate: Uint8Array
  /** The remote address of the socket. */
  readonly remote: { readonly host: string; readonly port: number }
  readonly state: PeerState
  /** Undefined until the peer's Handshake was accepted. */
  readonly info: PeerInfo | undefined
  /** Why the connection ended; undefined while it is open. */
  readonly closeReason: P2pError | undefined
  /** Milliseconds between the last Ping and its Pong; undefined before the first. */
  readonly roundTripMs: number | undefined
  /**
   * When the last frame was sent to the peer and received from it, in Unix milliseconds; the start of the
   * connection before the first frame.
   */
  readonly lastSent: number
  readonly lastReceived: number
  /** This side's uptime as observed by the peer, in percent, from its last Ping; 0 before the first. */
  readonly observedUptime: number

  /**
   * Sends one message. Returns false when it was dropped: the connection is closed or its outbound queue is
   * full. `compress` wraps it in zstd; without it, the messages that nodes compress are compressed if the
   * peer was created so.
   */
  send(body: Message.BodyInit, options?: { readonly compress?: boolean }): boolean
  /** Sends bytes as one frame without interpreting them. */
  sendFrame(body: Uint8Array): boolean
  /** Sends bytes unchanged, without a length prefix. */
  sendRaw(bytes: Uint8Array): boolean
  /** Closes the connection in order (close notification, then end of stream). */
  close(reason?: P2pError): void
  /** Destroys the connection at once, without notification. */
  destroy(): void
}

/** An application request that arrived before its deadline. */
export interface InboundRequest {
  /** 32 bytes. */
  readonly chainId: Uint8Array
  readonly requestId: number
  /**
   * When the asking peer stops waiting, in milliseconds of the monotonic clock: at most 10 s after receipt.
   */
  readonly expiresAt: number
  /** Handler prefix and body. */
  readonly bytes: Uint8Array
}

/**
 * Answers a request: only one call counts, further ones are counted and not sent. A handler may stay silent.
 */
export interface Reply {
  response(bytes: Uint8Array): void
  error(code: number, message: string): void
}

/** Handles an application request; must not throw. */
export type AppRequestHandler = (peer: Peer, request: InboundRequest, reply: Reply) => void

/**
 * Receives each decoded message before the protocol acts on it; returning true prevents the protocol from
 * acting.
 */
export type MessageHook = (peer: Peer, body: Message.Body) => boolean | undefined

export type { AppAnswer }
