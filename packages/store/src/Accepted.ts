import type { ChainAlias } from '@firn/codec'
import type { Change, Vertices } from '@firn/ledger'

/** An accepted block and the changes that it causes. */
export interface Accepted {
  readonly chain: ChainAlias
  /** Bytes of the inner block, without its proposervm container. */
  readonly bytes: Uint8Array
  readonly parentId: Uint8Array
  /**
   * The proposervm container around the block and the time at which a node accepted it (nanoseconds since
   * 1970), if known.
   */
  readonly container?:
    | {
        readonly id: Uint8Array
        readonly bytes: Uint8Array
        readonly acceptedAt?: bigint | undefined
      }
    | undefined
  /** The changes that `Ledger.apply` returned for the block. */
  readonly changes: readonly Change.Change[]
}

/** Vertices of the X-chain, or transactions that waited since earlier vertices, and the changes that they cause. */
export interface AcceptedVertices {
  readonly chain: 'X'
  readonly vertices: readonly Vertices.Accepted[]
  /** The changes that `Vertices.apply` returned. */
  readonly changes: readonly Change.Change[]
  /** The progress after them. */
  readonly progress: Vertices.Progress
}
