import type { ValidatorSet } from '@firn/warp'
import type { Progress } from './Progress.ts'
import type * as Retry from './Retry.ts'

/** A refusal that is certain without querying validators. */
export interface KnownRefusal {
  /** The error code with which validators would refuse. */
  readonly code: number
  /** Why they would refuse. */
  readonly text: string
  /** Who says so, for the report. */
  readonly reportedBy: string
}

/** A request to have one message signed. */
export interface AggregationRequest {
  /** The unsigned Warp message: the exact bytes that validators sign. */
  readonly message: Uint8Array
  /**
   * The justification: bytes sent along with the message to help validators check it. Only the P-chain reads them.
   */
  readonly justification?: Uint8Array
  /** The validator set at the height at which the receiver verifies the message. */
  readonly validatorSet: ValidatorSet.ValidatorSet
  /**
   * Canonical indices of validators that cannot sign (L1 validators without balance). They receive no
   * request, but their weight counts in the total.
   */
  readonly inactive?: ReadonlySet<number>
  /** Percentage of the total weight that must sign: an integer from 1 to 100. */
  readonly quorumPercentage: number
  /**
   * Percentage of the total weight to collect beyond the quorum: an integer; quorum and buffer together are
   * at most 100. Default: 0.
   */
  readonly bufferPercentage?: number
  /**
   * Percentage of the total weight to query beyond quorum plus buffer. Default: the aggregator's option. With 0, all
   * queried validators have signed when the target is reached, unless some were slow.
   */
  readonly slackPercentage?: number
  /** Milliseconds from now until the deadline for the result. */
  readonly deadlineMs: number
  /**
   * Milliseconds from now for which validators that answered "not yet" are queried again. With 0, each is queried once.
   * Pass more for messages that were just sent. Default: the aggregator's option, or 0 if the validators report the state
   * of their P-chain and none of them has signed.
   */
  readonly waitMs?: number
  /**
   * The kind of the source chain, which decides which error codes mean "not yet". Default: derived from the
   * message's source chain id (32 zero bytes: the P-chain).
   */
  readonly chainKind?: Retry.ChainKind
  /** If present, no validator is queried: all whose signatures are not cached count as having refused. */
  readonly refusal?: KnownRefusal
  readonly signal?: AbortSignal
  /** Called whenever the progress changes. If it throws, only this caller's request fails. */
  readonly onProgress?: (progress: Progress) => void
  /**
   * Called whenever nobody is being queried, because the aggregation only waits until it queries validators again. It
   * must not throw.
   */
  readonly onWaiting?: () => void
  /**
   * Called once for each request that is sent to a node because of this aggregation, retries included. Equal
   * concurrent aggregations share their requests; then only the callback of the first one is called, even if its
   * caller has already received an error. It must not throw.
   */
  readonly onRequestSent?: () => void
}
