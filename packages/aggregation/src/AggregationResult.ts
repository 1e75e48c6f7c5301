import type { Report } from './Report.ts'

/** A signed message that passes the receiver's verification, with the outcome for every validator. */
export interface AggregationResult {
  /** The encoded signed Warp message. */
  readonly signedMessage: Uint8Array
  /** Canonical indices of the validators whose signatures are in the message, ascending. */
  readonly signers: readonly number[]
  /** Total weight of the signers in the message. */
  readonly signedWeight: bigint
  readonly totalWeight: bigint
  /** Weight that the quorum requires: ⌈total · quorum / 100⌉. */
  readonly neededWeight: bigint
  readonly report: Report
}
