import type { ValidatorSet } from '@firn/warp'
import type { Progress } from './Progress.ts'
import type * as Retry from './Retry.ts'

/** A request to have one message signed. */
export interface AggregationRequest {
  /** The unsigned Warp message: exactly the bytes that validators sign. */
  readonly message: Uint8Array
  /** Forwarded to the validators; only the P-chain reads it. */
  readonly justification?: Uint8Array
  /** The set at the height at which the receiver verifies. */
  readonly validatorSet: ValidatorSet.ValidatorSet
  /**
   * Canonical indices that cannot sign (L1 validators without balance): they are never asked, but their
   * weight counts.
   */
  readonly inactive?: ReadonlySet<number>
  /** Integer from 1 to 100: percentage of weight required for a result. */
  readonly quorumPercentage: number
  /**
   * Integer, at most 100 together with the quorum: percentage of weight to collect beyond the quorum. Default
   * 0.
   */
  readonly bufferPercentage?: number
  /** Milliseconds from now until the deadline for the result. */
  readonly deadlineMs: number
  /** Which refusals mean "not yet". Default: by the message's source chain (32 zero bytes: P-chain). */
  readonly chainKind?: Retry.ChainKind
  readonly signal?: AbortSignal
  /** Called on each change; an exception it throws fails this call only. */
  readonly onProgress?: (progress: Progress) => void
}
