import type { Report } from './Report.ts'

/** A signed message, verified as its receiver will verify it, and the outcome for every validator. */
export interface AggregationResult {
  /** The encoded signed Warp message. */
  readonly signedMessage: Uint8Array
  /** Canonical indices of the signers in the message, ascending. */
  readonly signers: readonly number[]
  /** Weight of the signers in the message. */
  readonly signedWeight: bigint
  readonly totalWeight: bigint
  /** Weight that the quorum requires: ⌈total · quorum / 100⌉. */
  readonly neededWeight: bigint
  readonly report: Report
}
