/** The BLS functions that this package needs; the caller must provide them. */
export interface BlsChecks {
  /** Returns whether 96 bytes decode to a point in G2, the point at infinity included. */
  readonly isSignature: (signature: Uint8Array) => boolean
  /** Verifies a proof-of-possession signature (96 bytes) of `message` with a public key (48 bytes). */
  readonly verify: (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean
}

/** Time and size limits of a connection. The defaults are {@link NODE} and {@link CLIENT}. */
export interface Limits {
  /** Milliseconds without a frame after which a connection is closed. */
  readonly idleMs: number
  /** Milliseconds between two Pings of this side. */
  readonly pingMs: number
  /** Milliseconds after which a connection that is not ready is closed; `Infinity` for never, as in nodes. */
  readonly handshakeMs: number
  /** Milliseconds after which a connection is closed if the peer does not read. */
  readonly writeBlockedMs: number
  /** Milliseconds to wait for the peer when a connection is closed gracefully. */
  readonly closingMs: number
  /** Maximum difference between the clocks of both sides, in seconds. */
  readonly clockSkewSeconds: number
  /** Maximum number of bytes queued for one peer; further messages are dropped. */
  readonly outboundBytes: number
  /**
   * Maximum number of bytes read per second from one peer, counted after decompression. Reading pauses above
   * it.
   */
  readonly inboundBytesPerSecond: number
  /** Number of bytes by which a peer may exceed the byte rate in a burst. */
  readonly inboundBurstBytes: number
  /** Maximum number of one peer's application and chain requests in progress. Reading pauses above it. */
  readonly requestsInWork: number
  /** Maximum number of one peer's chain requests whose handlers run at once; further ones are queued. */
  readonly chainRequestsInWork: number
  /** Maximum number of this side's requests to one peer that are in flight; further ones are queued. */
  readonly requestsInFlight: number
  /** Maximum number of this side's requests to one peer that are queued. */
  readonly requestsWaiting: number
}

/** Limits of a node that accepts connections. */
export const NODE: Limits = {
  idleMs: 30_000,
  pingMs: 22_500,
  handshakeMs: Number.POSITIVE_INFINITY,
  writeBlockedMs: 30_000,
  closingMs: 1_000,
  clockSkewSeconds: 60,
  outboundBytes: 2_097_152,
  inboundBytesPerSecond: 524_288,
  inboundBurstBytes: 2_097_152,
  requestsInWork: 1_024,
  chainRequestsInWork: 8,
  requestsInFlight: 64,
  requestsWaiting: 8_192,
}

/** Limits of a client that dials nodes: the limits of a node, plus a deadline for becoming ready. */
export const CLIENT: Limits = { ...NODE, handshakeMs: 15_000 }
