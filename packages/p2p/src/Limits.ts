/** The BLS functions this package needs and does not contain. */
export interface BlsChecks {
  /** Tells whether 96 bytes decode to a point of the signature group (infinity passes). */
  readonly isSignature: (signature: Uint8Array) => boolean
  /** Verifies a proof-of-possession signature (96 bytes) of `message` by a public key (48 bytes). */
  readonly verify: (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean
}

/** Durations and bounds of a connection. The defaults are the protocol's. */
export interface Limits {
  /** A connection ends after this many milliseconds without a frame. */
  readonly idleMs: number
  /** Milliseconds between own Pings. */
  readonly pingMs: number
  /** A connection that is not ready after this many milliseconds ends; `Infinity`: never, as at nodes. */
  readonly handshakeMs: number
  /** A connection whose peer reads nothing for this many milliseconds ends. */
  readonly writeBlockedMs: number
  /** Milliseconds a closing connection may take to tell its peer. */
  readonly closingMs: number
  /** How far apart clocks may be, in seconds. */
  readonly clockSkewSeconds: number
  /** Bytes waiting to be written to one peer; what goes beyond is dropped. */
  readonly outboundBytes: number
  /** Bytes read per second from one peer, decompressed size included; reading pauses above it. */
  readonly inboundBytesPerSecond: number
  /** How many bytes a peer may be ahead of that rate. */
  readonly inboundBurstBytes: number
  /** Application requests of one peer in work; reading pauses above it. */
  readonly requestsInWork: number
  /** Own requests to one peer that are on their way at once; more wait in line. */
  readonly requestsInFlight: number
  /** Own requests to one peer that may wait in line. */
  readonly requestsWaiting: number
}

/** Limits of an accepting node. */
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

/** Limits of a dialling client: a node's, and a deadline for becoming ready. */
export const CLIENT: Limits = { ...NODE, handshakeMs: 15_000 }
