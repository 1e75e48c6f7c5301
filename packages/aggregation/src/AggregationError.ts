import { FirnError } from '@firn/codec'

/**
 * - `AGGREGATION_INPUT`: an argument is invalid (message, percentages, indices, deadline); `details.field` names it.
 * - `AGGREGATION_QUORUM_NOT_REACHED`: the deadline passed, or no time was left to retry the validators that were silent
 *   (`deadlineMs`) or answered “not yet” (`waitMs`). `details` holds `report` ({@link Report}), `signedWeight`, `neededWeight`,
 *   `targetWeight` and `totalWeight`.
 * - `AGGREGATION_QUORUM_IMPOSSIBLE`: the aggregation stopped early, because the outstanding responses could
 * not reach the quorum. `details` holds the same fields as for `AGGREGATION_QUORUM_NOT_REACHED`.
 * - `AGGREGATION_ABORTED`: the caller's signal aborted, or the caller's `onProgress` threw; `cause` is the
 * reason.
 * - `AGGREGATION_VERIFICATION`: the assembled message does not pass the receiver's verification although each
 * signature is valid; `details.reason` holds the reason.
 */
export type AggregationErrorCode =
  | 'AGGREGATION_INPUT'
  | 'AGGREGATION_QUORUM_NOT_REACHED'
  | 'AGGREGATION_QUORUM_IMPOSSIBLE'
  | 'AGGREGATION_ABORTED'
  | 'AGGREGATION_VERIFICATION'

/** The error that all functions of this package throw. Its `code` identifies the cause. */
export class AggregationError extends FirnError<AggregationErrorCode> {
  override readonly name = 'AggregationError'
}
