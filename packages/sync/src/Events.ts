/**
 * Why a peer was dropped. A dropped peer is not asked for containers again for at least 10 minutes, unless no other is
 * left.
 * - `oversized`: the answer had more than 2,000 containers or more bytes than a message can have.
 * - `wrong-container`: a container is not the one that was asked for, or not the parent of the one before it.
 * - `signature`: a container has the right id, but not its proposer's signature.
 * - `malformed`: the answer is not in the protocol's form.
 */
export type DropReason = 'oversized' | 'wrong-container' | 'signature' | 'malformed'

/** What a sync is doing. */
export type Phase =
  /** Waiting until voters of enough weight are connected. */
  | 'connecting'
  /** Asking the voters for the tip. */
  | 'voting'
  /** Fetching blocks. */
  | 'fetching'
  /** Fetching vertices of the X-chain's DAG. */
  | 'vertices'
  /** Following the tip. */
  | 'following'

/** The state of a sync. */
export interface Progress {
  readonly phase: Phase
  /** Height of the accepted tip; undefined until it is known. */
  readonly tip: bigint | undefined
  /** Number of blocks or vertices that are stored: of blocks, those above the root and up to the tip. */
  readonly stored: bigint
  /** Blocks or vertices per second, as a moving average. */
  readonly perSecond: number
  /** Number of connected peers, and the weight of the voters among them with the total weight. */
  readonly peers: number
  readonly connectedWeight: bigint
  readonly totalWeight: bigint
}

/** Called while a sync runs. They must not throw. */
export interface Events {
  /** The state has changed. */
  readonly onProgress?: (progress: Progress) => void
  /** A peer lied. */
  readonly onDropped?: (nodeId: Uint8Array, reason: DropReason) => void
  /** A checkpoint, or a stored block, is not on the accepted chain. */
  readonly onConflict?: (id: Uint8Array, height: bigint) => void
}
