import type { Report } from './Report.ts'

/** A signed message that was verified as its receiver will, and what became of every validator. */
export interface AggregationResult {
  /** The encoded signed Warp message. */
  readonly signedMessage: Uint8Array
  /** Canonical indices of the signers in the message, ascending. */
  readonly signers: readonly number[]
  /** Weight of the signers in the message. */
  readonly signedWeight: bigint
  readonly totalWeight: bigint
  /** Weight that the quorum needs: ⌈total · quorum / 100⌉. */
  readonly neededWeight: bigint
  readonly report: Report
}
