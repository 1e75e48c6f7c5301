import type { Change, Records } from '@firn/ledger'

/** An accepted block and its effects. */
export interface Accepted {
  readonly chain: Records.ChainAlias
  /** The inner block. */
  readonly bytes: Uint8Array
  readonly parentId: Uint8Array
  /**
   * The proposervm container around it, where known, and when a node accepted it (nanoseconds since 1970).
   */
  readonly container?:
    | {
        readonly id: Uint8Array
        readonly bytes: Uint8Array
        readonly acceptedAt?: bigint | undefined
      }
    | undefined
  /** The changes that `Ledger.apply` returned. */
  readonly changes: readonly Change.Change[]
}
