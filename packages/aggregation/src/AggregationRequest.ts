import type { ValidatorSet } from '@firn/warp'
import type { Progress } from './Progress.ts'
import type * as Retry from './Retry.ts'

/** One wish for a signed message. */
export interface AggregationRequest {
  /** The unsigned Warp message, exactly the bytes that the validators sign. */
  readonly message: Uint8Array
  /** Passed on to the validators; only the P-chain reads it. */
  readonly justification?: Uint8Array
  /** The set at the height at which the receiver will verify. */
  readonly validatorSet: ValidatorSet.ValidatorSet
  /** Canonical indices that cannot sign (L1 validators without balance): never asked, their weight counts. */
  readonly inactive?: ReadonlySet<number>
  /** Integer 1 to 100: weight without which there is no result. */
  readonly quorumPercentage: number
  /** Integer, with the quorum at most 100: weight wished beyond the quorum. Default 0. */
  readonly bufferPercentage?: number
  /** Milliseconds from now in which the result must be there. */
  readonly deadlineMs: number
  /** Which refusals mean "not yet". Default: by the message's source chain (32 zero bytes: P-chain). */
  readonly chainKind?: Retry.ChainKind
  readonly signal?: AbortSignal
  /** Called on each change; an exception of it fails this call only. */
  readonly onProgress?: (progress: Progress) => void
}
