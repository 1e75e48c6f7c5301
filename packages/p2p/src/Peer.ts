import type * as ClaimedIpPort from './ClaimedIpPort.ts'
import type * as Message from './Message.ts'
import type { P2pError } from './P2pError.ts'
import type { Version } from './Version.ts'

/** Where a connection stands: before both sides accepted each other, usable, over. */
export type PeerState = 'handshaking' | 'ready' | 'closed'

/** What the peer told in its Handshake, checked. */
export interface PeerInfo {
  readonly networkId: number
  readonly version: Version
  /** 4 or 16 bytes as claimed (v4-mapped addresses come as 4). */
  readonly address: Uint8Array
  readonly port: number
  /** Unix seconds. */
  readonly upgradeTime: bigint
  readonly trackedSubnets: readonly Uint8Array[]
  readonly allSubnets: boolean
  readonly supportedAcps: readonly number[]
  readonly objectedAcps: readonly number[]
  /** The peer's own claim, ready to be gossiped. */
  readonly claim: ClaimedIpPort.ClaimedIpPort
}

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

  /**
   * Sends one message. False when it was dropped: the connection is over or its outbound queue is full.
   * `compress` wraps it in zstd; by default what nodes compress is compressed when the peer was made so.
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
