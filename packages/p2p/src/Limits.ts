/** The BLS functions that this package needs but does not contain. */
export interface BlsChecks {
  /** Returns whether 96 bytes decode to a point in G2 (infinity passes). */
  readonly isSignature: (signature: Uint8Array) => boolean
  /** Verifies a proof-of-possession signature (96 bytes) of `message` by a public key (48 bytes). */
  readonly verify: (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean
}

/** Durations and bounds of a connection. The defaults are those of the protocol. */
export interface Limits {
  /** A connection ends after this many milliseconds without a frame. */
  readonly idleMs: number
  /** Milliseconds between own Pings. */
  readonly pingMs: number
  /** A connection that is not ready after this many milliseconds ends; `Infinity` for never, as in nodes. */
  readonly handshakeMs: number
  /** A connection whose peer reads nothing for this many milliseconds ends. */
  readonly writeBlockedMs: number
  /** Milliseconds that a closing connection may take to notify its peer. */
  readonly closingMs: number
  /** Maximum difference between clocks, in seconds. */
  readonly clockSkewSeconds: number
  /** Maximum number of bytes waiting to be written to one peer; more are dropped. */
  readonly outboundBytes: number
  /** Bytes read per second from one peer, decompressed size included; reading pauses above it. */
  readonly inboundBytesPerSecond: number
  /** How many bytes a peer may exceed that rate by in a burst. */
  readonly inboundBurstBytes: number
  /** Application requests of one peer that are processed at once; reading pauses above it. */
  readonly requestsInWork: number
  /** Own requests to one peer in flight at once; more wait in line. */
  readonly requestsInFlight: number
  /** Own requests to one peer that may wait in line. */
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
  requestsInFlight: 64,
  requestsWaiting: 8_192,
}

/** Limits of a dialling client: those of a node, and a deadline for becoming ready. */
export const CLIENT: Limits = { ...NODE, handshakeMs: 15_000 }
